// The limits of what is stored of a PDF, which the database checks too.
export const MAX_PAGES = 2_000;
export const MAX_PAGE_CHARS = 20_000;
export const MAX_SECTIONS = 2_000;
export const MAX_TITLE_CHARS = 300;
export const MAX_LEVEL = 20;
