declare module 'hypher' {
  export type Patterns = { leftmin: number; rightmin: number; patterns: Record<string, string> };
  export default class Hypher {
    constructor(patterns: Patterns);
    /** Returns the parts into which a word can be broken. */
    hyphenate(word: string): string[];
  }
}

declare module 'hyphenation.*' {
  const patterns: import('hypher').Patterns;
  export default patterns;
}
