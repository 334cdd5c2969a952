// Limits on the stored text and outline of a PDF. The database enforces them too.
export const MAX_TEXT_PAGES = 2_000;
export const MAX_PAGE_CHARS = 20_000;
export const MAX_SECTIONS = 2_000;
export const MAX_TITLE_CHARS = 300;
export const MAX_OUTLINE_LEVEL = 20;
