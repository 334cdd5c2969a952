declare module 'hyphen' {
  /** The positions at which each word can be broken. */
  export type Exceptions = Record<string, number[]>;
  export type Patterns = [levels: number[][], trie: object, exceptions?: Exceptions];
  /** Returns a function that adds soft hyphens to a text. With `html`, it leaves HTML tags unchanged. */
  export default function createHyphenator(
    patterns: Patterns,
    options: { html: boolean },
  ): (text: string) => string;
}

declare module 'hyphen/patterns/*' {
  const patterns: import('hyphen').Patterns;
  export default patterns;
}
