/** The name of the embedded file that holds a PDF's editable document. */
export const EMBEDDED_NAME = 'atelier-document.json';
