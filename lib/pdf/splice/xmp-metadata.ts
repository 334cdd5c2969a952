/**
 * What a PDF's metadata states. `xmpMetadata` escapes the texts and drops U+FFFE and U+FFFF. The texts must not contain
 * control characters other than tabs and line breaks, because XML forbids them.
 */
export type DocumentInformation = {
  title: string;
  language: string;
  /** Whether the file follows PDF/A-2a, in addition to PDF/UA. */
  isPdfA: boolean;
};

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// XML 1.0 forbids U+FFFE and U+FFFF, even in escaped form.
const escaped = (text: string) => text.replace(/[&<>"\uFFFE\uFFFF]/g, (sign) => escapes[sign] ?? '');

/** States that a file follows PDF/A-2a, and describes the PDF/UA property, which PDF/A does not define. */
const PDF_A = `<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"
 xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
 xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaid:part>2</pdfaid:part>
<pdfaid:conformance>A</pdfaid:conformance>
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name>
<pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>Part of ISO 14289 that the file follows</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>
`;

/**
 * Returns the metadata of a PDF (ISO 32000-1, 14.3.2) as bytes: its title, its language, and which standards it
 * follows. Contains no dates, so that the same document always produces the same file.
 */
export function xmpMetadata({ title, language, isPdfA }: DocumentInformation): Buffer {
  const xml = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li></rdf:Alt></dc:title>
<dc:language><rdf:Bag><rdf:li>${escaped(language)}</rdf:li></rdf:Bag></dc:language>
<pdf:Producer>Skia/PDF</pdf:Producer>
<pdfuaid:part>1</pdfuaid:part>
<xmp:CreatorTool>Atelier</xmp:CreatorTool>
</rdf:Description>
${isPdfA ? PDF_A : ''}</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;
  return Buffer.from(xml, 'utf8');
}
