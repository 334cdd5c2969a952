/** Name of the file that is embedded in an exported PDF and contains the editable document. */
export const EMBEDDED_NAME = 'atelier-document.json';
