export type MeasureUnit = 'mm' | 'pt' | '%' | '‰' | '°';

/** Millimeters per unit of length. */
const lengths: Record<string, number> = { mm: 1, cm: 10, in: 25.4, '"': 25.4, pt: 25.4 / 72 };

const token = /\s*(?:(\d+(?:[.,]\d*)?|[.,]\d+)\s*(mm|cm|in|"|pt|%|‰|°)?|([-+*/×÷]))/y;

type Term = { value: number } | { operator: string };

function termsOf(text: string, unit: MeasureUnit | undefined): Term[] | null {
  const terms: Term[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const [match, digits, given, operator] = token.exec(text) ?? [];
    if (match === undefined) return null;
    if (operator !== undefined) {
      terms.push({ operator: { '×': '*', '÷': '/' }[operator] ?? operator });
      continue;
    }
    const value = Number((digits ?? '').replace(',', '.'));
    if (given === undefined || given === unit) terms.push({ value });
    else {
      const [from, to] = [lengths[given], lengths[unit ?? '']];
      if (from === undefined || to === undefined) return null;
      terms.push({ value: (value * from) / to });
    }
  }
  return terms;
}

/**
 * Parses the text typed into a number field and returns its value in the field's unit, rounded to hundredths. Accepts a
 * number or a calculation, such as `11+2`. A field for a length also accepts other units, as in `1 in` or `21 cm / 3`.
 * Returns null for any other text, and for a division by zero.
 */
export function parseMeasure(text: string, unit?: MeasureUnit): number | null {
  const terms = termsOf(text.trim().toLowerCase(), unit);
  if (!terms || terms.length === 0) return null;
  let [sum, product, sign, operator] = [0, 0, 1, '+'];
  let needsValue = true;
  for (const term of terms) {
    if ('operator' in term) {
      // A sign may follow an operator, as in `10 * -2`.
      if (needsValue && term.operator !== '-' && term.operator !== '+') return null;
      if (needsValue) {
        if (term.operator === '-') sign = -sign;
        continue;
      }
      operator = term.operator;
      needsValue = true;
      continue;
    }
    if (!needsValue) return null;
    const value = sign * term.value;
    if (operator === '*') product *= value;
    else if (operator === '/') product /= value;
    else {
      sum += product;
      product = operator === '-' ? -value : value;
    }
    sign = 1;
    needsValue = false;
  }
  const result = Math.round((sum + product) * 100) / 100;
  return needsValue || !Number.isFinite(result) ? null : result;
}

/** Clamps a value to the limits. `limit` names the limit that applied, or is null if the value is within the limits. */
export function withinLimits(
  value: number,
  { min, max }: { min: number; max: number },
): { value: number; limit: 'minimum' | 'maximum' | null } {
  if (value < min) return { value: min, limit: 'minimum' };
  return value > max ? { value: max, limit: 'maximum' } : { value, limit: null };
}
