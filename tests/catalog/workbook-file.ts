import { deflateRawSync } from 'node:zlib';

/** A zip archive with these files. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content);
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(Buffer.byteLength(content), 8);
    const common = Buffer.concat([
      Buffer.of(20, 0, 0, 0, 8, 0, 0, 0, 0, 0),
      sizes,
      Buffer.of(name.length, 0, 0, 0),
    ]);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02'),
        Buffer.of(20, 0),
        common,
        place,
        Buffer.from(name),
      ]),
    );
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}

interface XlsxParts {
  /** Rows as XML, by sheet name; a name that begins with `-` is hidden. */
  readonly sheets: Readonly<Record<string, string>>;
  /** `<si>` elements. */
  readonly shared?: string;
  /** Format codes; cell style n + 1 shows the nth. */
  readonly formats?: readonly string[];
}

/** A workbook as Excel writes it, with its rows given as XML. */
export function xlsxOf({ sheets, shared = '', formats = [] }: XlsxParts): Buffer {
  const names = Object.keys(sheets);
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return zipOf({
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<x:workbook xmlns:x="m" xmlns:r="r"><x:sheets>${names
      .map(
        (name, index) =>
          `<x:sheet name="${name.replace('-', '')}" r:id="r${index}"${name.startsWith('-') ? ' state="veryHidden"' : ''}/>`,
      )
      .join('')}</x:sheets></x:workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names
      .map(
        (_, index) =>
          `<Relationship Id="r${index}" Target="${index === 0 ? '/xl/' : ''}worksheets/s${index}.xml"/>`,
      )
      .join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${shared}</sst>`,
    'xl/styles.xml': `<styleSheet><numFmts>${formats
      .map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escaped(code)}"/>`)
      .join(
        '',
      )}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
      .map((_, index) => `<xf numFmtId="${164 + index}"/>`)
      .join('')}<xf numFmtId="14"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/s${index}.xml`,
        `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** A workbook as LibreOffice writes it, with its tables given as XML. */
export function odsOf(tables: string): Buffer {
  return zipOf({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'META-INF/manifest.xml': '<manifest/>',
    'content.xml': `<?xml version="1.0"?><office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:style="s"><office:automatic-styles><style:style style:name="ta2"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
  });
}
