import { expect, test } from 'bun:test';
import { detectFormat } from '../../src/catalog/formats.ts';
import { jsonLd } from '../../src/catalog/web-page/json-ld.ts';
import { offering, readAll } from './read.ts';

const evidence = (text: string) => detectFormat({ text, fileName: 'page.html' })?.evidence;
const script = (node: unknown) =>
  `<script type="application/ld+json">${JSON.stringify(node)}</script>`;
const CANONICAL = '<link rel="canonical" href="https://shop.example/oak-lamp">';

test('a product without an identifier is known by its page, or by its name where a page has several', async () => {
  const lamp = {
    '@type': 'Product',
    name: 'Oak lamp – tall',
    image: '/img/lamp.jpg',
    offers: { price: 9 },
  };
  const alone = await readAll(jsonLd, `<html>${script(lamp)}${CANONICAL}`);
  expect(offering(alone.items)).toMatchObject({
    externalId: 'https://shop.example/oak-lamp',
    publicUrl: 'https://shop.example/oak-lamp',
    image: 'https://shop.example/img/lamp.jpg',
    priceMinor: 900,
  });
  const list = await readAll(
    jsonLd,
    `<html>${CANONICAL}${script([lamp, { ...lamp, name: 'Ash' }])}`,
  );
  expect(list.items).toMatchObject([
    { externalId: 'oak-lamp-tall', publicUrl: null },
    { externalId: 'ash', publicUrl: null },
  ]);
  expect([...alone.said, ...list.said]).toEqual([]);
});

test('microdata is read where there is no JSON-LD of a product', async () => {
  const page = `<!DOCTYPE html><html>\n<head>${CANONICAL}${script({ '@type': 'BreadcrumbList' })}</head><body>
<div itemscope itemtype="https://schema.org/Product">
  <h1 itemprop="name">Oak\n   lamp</h1> <img itemprop="image" src="/1.jpg"><img src="/2.jpg" itemprop="image">
  <p itemprop="description">Warm &amp; <b>quiet</b><br>light</p>
  <span itemprop="brand" itemscope itemtype="https://schema.org/Brand"><meta itemprop="name" content="Lumen"></span>
  <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
    <span itemprop="price" content="1049.50">1.049,50</span><meta itemprop="priceCurrency" content="EUR">
    <link itemprop="availability" href="https://schema.org/OutOfStock">
  </div>
  <div itemprop="isRelatedTo" itemscope itemtype="https://schema.org/Product"><b itemprop="name">Ash</b></div>
</div></body></html>`;
  expect(evidence(page)).toBe('a page with JSON-LD');
  expect(evidence(page.replace(/<script.*<\/script>/, ''))).toBe('a page with microdata');
  const { items, said, lines } = await readAll(jsonLd, page, { chunkBytes: 50 });
  expect(said).toEqual([]);
  expect(lines).toEqual([3]);
  expect(items).toMatchObject([
    {
      externalId: 'https://shop.example/oak-lamp',
      name: 'Oak lamp',
      description: 'Warm & quiet light',
      vendor: 'Lumen',
      images: ['https://shop.example/1.jpg', 'https://shop.example/2.jpg'],
      currency: 'EUR',
      priceMinor: 104950,
      availability: 'out_of_stock',
    },
  ]);
});

test('OpenGraph describes the product of a page that has neither', async () => {
  const meta = (values: Readonly<Record<string, string>>) =>
    Object.entries(values)
      .map(([name, value]) => `<meta property="${name}" content="${value}">`)
      .join('');
  const product = meta({
    'og:type': 'product',
    'og:title': 'Oak lamp',
    'og:url': 'https://shop.example/oak-lamp',
    'og:image': 'https://shop.example/1.jpg',
    'product:price:amount': '49.00',
    'product:sale_price:amount': '39.00',
    'product:price:currency': 'GBP',
    'product:availability': 'in stock',
    'product:retailer_item_id': 'L-1',
  });
  const page = `<!DOCTYPE html><html><head>${product}</head><body></body></html>`;
  expect(evidence(page)).toBe('a page with OpenGraph properties');
  const { items, said } = await readAll(jsonLd, page);
  expect(said).toEqual([]);
  expect(items).toMatchObject([
    {
      externalId: 'L-1',
      publicUrl: 'https://shop.example/oak-lamp',
      currency: 'GBP',
      priceMinor: 3900,
      compareAtPriceMinor: 4900,
      availability: 'in_stock',
    },
  ]);
  const article = `<!DOCTYPE html>${meta({ 'og:type': 'article', 'og:title': 'Lamps' })}`;
  expect(evidence(article)).toBeUndefined();
  expect((await readAll(jsonLd, article)).items).toEqual([]);
});
