/** The old headings that the tests use. */
export const OLD = [
  'Handle',
  'Title',
  'Body (HTML)',
  'Vendor',
  'Type',
  'Tags',
  'Published',
  'Option1 Name',
  'Option1 Value',
  'Option2 Name',
  'Option2 Value',
  'Variant SKU',
  'Variant Inventory Tracker',
  'Variant Inventory Qty',
  'Variant Inventory Policy',
  'Variant Price',
  'Variant Compare At Price',
  'Variant Barcode',
  'Image Src',
  'Image Position',
  'Google Shopping / Gender',
  'Google Shopping / MPN',
  'Colour (product.metafields.shopify.color-pattern)',
  'Variant Image',
  'Status',
] as const;
export type Cells = Partial<Record<(typeof OLD)[number], string>>;

const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
export const row = (cells: Cells) => OLD.map((column) => quoted(cells[column] ?? '')).join(',');
export const file = (...rows: Cells[]) => [OLD.join(','), ...rows.map(row)].join('\n');
export const SHIRT: Cells = {
  Handle: 'shirt',
  Title: 'Shirt',
  'Option1 Name': 'Size',
  'Option1 Value': 'S',
  'Variant Price': '20',
};
export const MUG: Cells = {
  Handle: 'mug',
  Title: 'Mug',
  'Option1 Name': 'Title',
  'Option1 Value': 'Default Title',
  'Variant Price': '9.90',
};
