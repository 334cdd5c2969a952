/** The CSS value of an alignment: by default, text is aligned where it starts, which is at the right for right-to-left text. */
export const textAlign = { left: 'start', center: 'center', right: 'right', justify: 'justify' } as const;
