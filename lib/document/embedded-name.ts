/** The name of the file in a PDF that has the editable document. */
export const EMBEDDED_NAME = 'atelier-document.json';
