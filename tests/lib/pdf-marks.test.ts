import { describe, expect, test } from 'vitest';
import { headingDepths } from '@/lib/pdf/splice/heading-depths';
import { markArtifacts } from '@/lib/pdf/splice/mark-artifacts';

describe('markArtifacts', () => {
  test('untagged content of a page becomes an artifact, and tagged text does not change', () => {
    const { content, artifacts } = markArtifacts(
      'q\n0 0 9 9 re\nf\n/NonStruct <</MCID 0 >>BDC\nBT\n<01> Tj\nET\nEMC\n/X1 Do\nQ\n',
    );
    expect(content).toBe(
      '/Artifact BMC\nq\n0 0 9 9 re\nf\nEMC\n/NonStruct <</MCID 0 >>BDC\nBT\n<01> Tj\nET\nEMC\n/Artifact BMC\n/X1 Do\nQ\nEMC\n',
    );
    expect([...artifacts]).toEqual([]);
  });

  test('tagged lines and shapes become artifacts, but tagged images and empty tags do not', () => {
    const { content, artifacts } = markArtifacts(
      '/Table <</MCID 3 >>BDC\n1 1 l\nS\nEMC\n/Figure <</MCID 4 >>BDC\n/X1 Do\nEMC\n/P <</MCID 5 >>BDC\nEMC',
    );
    expect([...artifacts]).toEqual([3]);
    expect(content).toBe(
      '/Artifact BMC\n1 1 l\nS\nEMC\n/Figure <</MCID 4 >>BDC\n/X1 Do\nEMC\n/P <</MCID 5 >>BDC\nEMC\n',
    );
  });

  test('the text of a soft hyphen within tagged content stays within it', () => {
    const content =
      '/P <</MCID 0 >>BDC\nBT\n<01> Tj\n/Span<</ActualText <FEFF00AD> >> BDC\n<02> Tj\nEMC\n<03> Tj\nET\nEMC\n';
    expect(markArtifacts(content)).toEqual({ content, artifacts: new Set() });
  });

  test('a form with its own tags is not an artifact', () => {
    const { content } = markArtifacts('0 0 9 9 re\nf\n/X5 Do\n/X6 Do\n', new Set(['X5']));
    expect(content).toBe('/Artifact BMC\n0 0 9 9 re\nf\nEMC\n/X5 Do\n/Artifact BMC\n/X6 Do\nEMC\n');
  });

  test('content that paints nothing does not change', () => {
    expect(markArtifacts('q\n0 0 9 9 re\nW* n\nQ\n').content).toBe('q\n0 0 9 9 re\nW* n\nQ\n');
  });
});

test('headings are nested without skipping a level', () => {
  const depths = (levels: number[]) => levels.map(headingDepths());
  expect(depths([2, 2, 3, 2])).toEqual([1, 1, 2, 1]);
  expect(depths([1, 4, 3, 1, 2])).toEqual([1, 2, 2, 1, 2]);
  expect(depths([4, 2, 3])).toEqual([1, 1, 2]);
});
