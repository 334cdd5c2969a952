/** Name of the file, embedded in an exported PDF, that contains the editable document. */
export const EMBEDDED_NAME = 'atelier-document.json';
