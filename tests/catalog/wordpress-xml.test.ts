import { expect, test } from 'bun:test';
import { detectFormat } from '../../src/catalog/formats.ts';
import { wordpressXml } from '../../src/catalog/woo/wordpress-xml.ts';
import { offering, readAll } from './read.ts';

const NOW = Date.parse('2026-03-05T12:00:00Z');
const seconds = (day: string) => String(Date.parse(`${day}T00:00:00Z`) / 1000);

interface Post {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly parent?: number;
  readonly status?: string;
  /** Elements as they are. */
  readonly xml?: string;
  readonly meta?: Readonly<Record<string, string>>;
}

function item({
  id,
  type,
  title,
  parent = 0,
  status = 'publish',
  xml = '',
  meta = {},
}: Post): string {
  const values = Object.entries(meta).map(
    ([key, value]) =>
      `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`,
  );
  return `<item><title>${title}</title><link>https://shop.example/product/${id}/</link><wp:post_id>${id}</wp:post_id><wp:post_name>post-${id}</wp:post_name><wp:status>${status}</wp:status><wp:post_parent>${parent}</wp:post_parent><wp:post_type><![CDATA[${type}]]></wp:post_type><wp:post_password/>${xml}${values.join('')}</item>`;
}

const export_ = (...posts: readonly Post[]) =>
  `<?xml version="1.0"?>\n<rss version="2.0" xmlns:content="c" xmlns:excerpt="e" xmlns:wp="http://wordpress.org/export/1.2/"><channel>\n${posts.map(item).join('\n')}\n</channel></rss>`;

test('WooCommerce’s products are read from WordPress’s own export, with variations and images', async () => {
  const text = export_(
    { id: 1, type: 'page', title: 'About' },
    {
      id: 6,
      type: 'product',
      title: 'Shirt',
      xml: '<content:encoded><![CDATA[<p>Woven.</p>]]></content:encoded><excerpt:encoded><![CDATA[Cool.]]></excerpt:encoded><category domain="pa_color" nicename="sea-blue">Sea blue</category><category domain="product_cat" nicename="shirts">Shirts</category><category domain="product_tag" nicename="x">Linen</category>',
      meta: {
        _thumbnail_id: '90',
        _product_image_gallery: '91,92',
        _product_attributes:
          'a:1:{s:5:"cuffs";a:6:{s:4:"name";s:5:"Cuffs";s:5:"value";s:8:"Yes | No";s:8:"position";i:1;}}',
      },
    },
    { id: 8, type: 'product', title: 'Draft', status: 'draft' },
    {
      id: 21,
      type: 'product_variation',
      parent: 6,
      title: 'Shirt - Sea blue',
      meta: {
        attribute_pa_color: 'sea-blue',
        attribute_cuffs: 'Yes',
        _sku: 'S-1',
        _regular_price: '20',
        _sale_price: '15',
        _sale_price_dates_from: seconds('2026-03-01'),
        _sale_price_dates_to: seconds('2026-03-09'),
        _stock_status: 'onbackorder',
      },
    },
    { id: 22, type: 'product_variation', parent: 6, title: 'Off', status: 'private' },
    { id: 30, type: 'product_variation', parent: 7, title: 'Lost' },
    {
      id: 90,
      type: 'attachment',
      title: 'a',
      status: 'inherit',
      xml: '<wp:attachment_url>https://shop.example/a.jpg</wp:attachment_url>',
    },
    {
      id: 91,
      type: 'attachment',
      title: 'b',
      status: 'inherit',
      xml: '<wp:attachment_url>https://shop.example/b.jpg</wp:attachment_url>',
    },
  );
  expect(detectFormat({ text, fileName: 'x' })?.format.name).toBe('wordpress-xml');
  const { items, said } = await readAll(wordpressXml, text, { now: NOW, chunkBytes: 500 });
  expect(said).toEqual(['5 warning not_published wp:status', '8 error missing_parent -']);
  expect(items).toHaveLength(1);
  expect(offering(items)).toMatchObject({
    externalId: '6',
    name: 'Shirt',
    description: 'Cool.\n\nWoven.',
    slug: 'post-6',
    publicUrl: 'https://shop.example/product/6/',
    images: ['https://shop.example/a.jpg', 'https://shop.example/b.jpg'],
    productType: 'Shirts',
    tags: ['Linen'],
    attributes: { color: 'Sea blue', cuffs: 'Yes, No' },
    priceMinor: 1500,
    compareAtPriceMinor: 2000,
    variants: [
      {
        id: '21',
        sku: 'S-1',
        options: { Color: 'Sea blue', Cuffs: 'Yes' },
        availability: 'backorder',
      },
    ],
  });
});
