import { describe, expect, test } from 'bun:test';
import { FEED_NAMES } from '../../src/catalog/feeds/feed-attributes.ts';
import { meaningsOf } from '../../src/catalog/mapping/dictionary.ts';
import { HEADINGS } from '../../src/catalog/mapping/words.ts';
import { openSource } from '../../src/catalog/open-source.ts';
import type { CatalogItem, Offering } from '../../src/domain/catalog.ts';
import { chunks } from './read.ts';

/** A table as a shop owner's spreadsheet would save it. */
const csv = (...rows: readonly string[]) => rows.map((row) => `${row}\r\n`).join('');

interface Guessed {
  /** Heading → name, without the columns that are left out. */
  readonly names: Readonly<Record<string, string>>;
  readonly doubts: readonly string[];
  readonly items: readonly CatalogItem[];
  readonly faults: readonly string[];
}

async function guessed(
  text: string,
  { mapping, currency = 'EUR' }: { mapping?: Record<string, string>; currency?: string } = {},
): Promise<Guessed> {
  const bytes = () => chunks(new TextEncoder().encode(text), 1000);
  const opened = await openSource(
    { name: 'preise.csv', bytes: bytes() },
    { takesDoubtful: true, ...(mapping && { mapping: new Map(Object.entries(mapping)) }) },
  );
  const { columns, doubts } = opened.guess!;
  const items: CatalogItem[] = [];
  const faults: string[] = [];
  for await (const row of opened.rows({ currency, shopUrl: null, now: 0 })) {
    if ('item' in row) items.push(row.item);
    else faults.push(`${row.fault.line} ${row.fault.code}`);
  }
  const named = columns.flatMap(({ heading, name }) => (name === null ? [] : [[heading, name]]));
  return { names: Object.fromEntries(named), doubts, items, faults };
}

const offerings = ({ items }: Guessed) => items as readonly Offering[];

/** One table in each language: what a heading should be taken for, and the first item. */
const TABLES: readonly (readonly [
  string,
  { table: string; names: readonly string[]; first: object },
])[] = [
  [
    'English',
    {
      table: csv(
        'SKU,Product Name,Long Description,RRP,Price,Stock,Brand,Barcode,Image URL,Category,Internal note',
        'A-1,Oak table,"Solid oak, oiled.",499.00,449.00,3,Holt,4006381333931,https://s.example/a.jpg,Tables,top shelf',
        'A-2,Oak chair,Solid oak.,,129.00,0,Holt,,https://s.example/b.jpg,Chairs,',
      ),
      names:
        'id,title,description,compare_at_price,price,quantity,brand,gtin,image,product_type,'.split(
          ',',
        ),
      first: {
        ...{ externalId: 'A-1', name: 'Oak table', priceMinor: 44900, compareAtPriceMinor: 49900 },
        ...{ availability: 'in_stock', vendor: 'Holt', gtins: ['4006381333931'] },
        ...{ image: 'https://s.example/a.jpg', productType: 'Tables' },
      },
    },
  ],
  [
    'German',
    {
      table: csv(
        'Art.-Nr.;Bezeichnung;Langtext;UVP;Preis (€);Lagerbestand;Hersteller;EAN-Code;Bild;Warengruppe;Lieferantennummer',
        '4711;Eichentisch;Massiv, geölt;1.499,00;1.299;2;Holz & Co;4006381333931;https://s.example/a.jpg;Tische;77',
        '4712;Stuhl;Massiv;;129,50;0;Holz & Co;;https://s.example/b.jpg;Stühle;77',
      ),
      names:
        'id,title,description,compare_at_price,price,quantity,brand,gtin,image,product_type,'.split(
          ',',
        ),
      first: {
        externalId: '4711',
        priceMinor: 129900,
        compareAtPriceMinor: 149900,
        vendor: 'Holz & Co',
      },
    },
  ],
  [
    'French',
    {
      table: csv(
        'Référence;Désignation;Descriptif;Prix TTC;Disponibilité;Marque;Code-barres;Lien image;Catégorie;Couleur',
        'T-1;Table en chêne;Chêne massif;"449,00 €";En stock;Dubois;4006381333931;https://s.example/a;Tables;Brun',
        'T-2;Chaise;Chêne;"129,00 €";Rupture de stock;Dubois;;https://s.example/b;Chaises;Noir',
      ),
      names: 'id,title,description,price,availability,brand,gtin,image,product_type,color'.split(
        ',',
      ),
      first: {
        externalId: 'T-1',
        priceMinor: 44900,
        availability: 'in_stock',
        image: 'https://s.example/a',
      },
    },
  ],
  [
    'Spanish',
    {
      table: csv(
        'Código;Nombre;Descripción;Precio;Existencias;Marca;Imagen;Enlace;Categoría;Talla',
        'M-1;Mesa de roble;Roble macizo;449,00;3;Roble SA;https://s.example/a.jpg;https://s.example/mesa;Mesas;L',
        'M-2;Silla;Roble;129,00;0;Roble SA;https://s.example/b.jpg;https://s.example/silla;Sillas;M',
      ),
      names: 'id,title,description,price,quantity,brand,image,link,product_type,size'.split(','),
      first: { externalId: 'M-1', publicUrl: 'https://s.example/mesa', productType: 'Mesas' },
    },
  ],
  [
    'Italian',
    {
      table: csv(
        'Codice articolo;Nome prodotto;Descrizione;Prezzo ivato;Prezzo di listino;Disponibilità;Marca;Immagine;Reparto',
        'T1;Tavolo;Rovere massello;449,00;499,00;Disponibile;Rovere;https://s.example/a.jpg;Tavoli',
        'S1;Sedia;Rovere;129,00;;Esaurito;Rovere;https://s.example/b.jpg;Sedie',
      ),
      names:
        'id,title,description,price,compare_at_price,availability,brand,image,product_type'.split(
          ',',
        ),
      first: { priceMinor: 44900, compareAtPriceMinor: 49900, availability: 'in_stock' },
    },
  ],
  [
    'Dutch',
    {
      table: csv(
        'Artikelnummer;Omschrijving kort;Lange omschrijving;Prijs incl. btw;Voorraad;Merk;Afbeelding;Productgroep;Kleur',
        'T1;Eiken tafel;Massief eiken;€ 449,00;3;Eik;https://s.example/a.jpg;Tafels;Bruin',
        'S1;Stoel;Eiken;€ 129,-;0;Eik;https://s.example/b.jpg;Stoelen;Zwart',
      ),
      names: 'id,title,description,price,quantity,brand,image,product_type,color'.split(','),
      first: { name: 'Eiken tafel', priceMinor: 44900, availability: 'in_stock' },
    },
  ],
  [
    'Portuguese',
    {
      table: csv(
        'Referência;Designação;Descrição;Preço;Estoque;Marca;Imagem;Categoria;Tamanho;Publicado',
        'M1;Mesa de carvalho;Carvalho maciço;449,00;3;Carvalho;https://s.example/a.jpg;Mesas;G;Sim',
        'C1;Cadeira;Carvalho;129,00;0;Carvalho;https://s.example/b.jpg;Cadeiras;M;Não',
      ),
      names: 'id,title,description,price,quantity,brand,image,product_type,size,visible'.split(','),
      first: { externalId: 'M1', priceMinor: 44900 },
    },
  ],
  [
    'Polish',
    {
      table: csv(
        'Kod produktu;Nazwa;Opis;Cena brutto (PLN);Stan magazynowy;Producent;Zdjęcie;Kategoria;Kod kreskowy',
        'S1;Stół dębowy;Lity dąb;"1 449,00";3;Dąb;https://s.example/a.jpg;Stoły;4006381333931',
        'K1;Krzesło;Dąb;"129,00";0;Dąb;https://s.example/b.jpg;Krzesła;',
      ),
      names: 'id,title,description,price,quantity,brand,image,product_type,gtin'.split(','),
      first: { priceMinor: 144900, currency: 'PLN', gtins: ['4006381333931'] },
    },
  ],
  [
    'Swedish',
    {
      table: csv(
        'Artikelnr;Benämning;Beskrivning;Pris inkl. moms;Lagersaldo;Varumärke;Bild;Varugrupp;Streckkod',
        'B1;Ekbord;Massiv ek;4 490:-;3;Ek AB;https://s.example/a.jpg;Bord;4006381333931',
        'S1;Ekstol;Ek;1290,50;0;Ek AB;https://s.example/b.jpg;Stolar;',
      ),
      names: 'id,title,description,price,quantity,brand,image,product_type,gtin'.split(','),
      first: { externalId: 'B1', priceMinor: 449000, availability: 'in_stock' },
    },
  ],
  [
    'Danish',
    {
      table: csv(
        'Varenummer;Varenavn;Beskrivelse;Salgspris;Førpris;Lagerstatus;Mærke;Billede;Varegruppe;Farve',
        'B1;Egebord;Massiv eg;4.490,00;4.990,00;På lager;Eg;https://s.example/a.jpg;Borde;Brun',
        'S1;Egestol;Eg;1.290,00;;Udsolgt;Eg;https://s.example/b.jpg;Stole;Sort',
      ),
      names:
        'id,title,description,price,compare_at_price,availability,brand,image,product_type,color'.split(
          ',',
        ),
      first: { priceMinor: 449000, compareAtPriceMinor: 499000, availability: 'in_stock' },
    },
  ],
  [
    'Russian',
    {
      table: csv(
        'ID товара;Наименование товара;Описание;Регулярная цена;Старая цена;Наличие;Бренд;Изображение;Категория',
        'S1;Дубовый стол;Массив дуба;4 490,00 ₽;4 990,00 ₽;В наличии;Дуб;https://s.example/a.jpg;Столы',
        'S2;Дубовый стул;Дуб;1 290,00 ₽;;Нет в наличии;Дуб;https://s.example/b.jpg;Стулья',
      ),
      names:
        'id,title,description,price,compare_at_price,availability,brand,image,product_type'.split(
          ',',
        ),
      first: { externalId: 'S1', priceMinor: 449000, compareAtPriceMinor: 499000 },
    },
  ],
];

describe.each(TABLES)('a price list in %s', (_language, { table, names, first }) => {
  test('is read without a word about its columns', async () => {
    const found = await guessed(table);
    const headings = table.split('\r\n')[0]!.split(/[;,]/);
    const expected = headings.flatMap((heading, at) => (names[at] ? [[heading, names[at]]] : []));
    expect([found.doubts, found.names]).toEqual([[], Object.fromEntries(expected)]);
    expect(offerings(found)[0]).toMatchObject(first);
  });
});

test('the last row counts, whether the file ends in a newline or not', async () => {
  const found = await guessed('Artikelnummer;Bezeichnung;Preis\n1;Tasse;9,00');
  expect(found.doubts).toEqual([]);
  expect(offerings(found)[0]).toMatchObject({ externalId: '1', priceMinor: 900 });
});

const NAMED = 'Art.-Nr.;Bezeichnung';
const rows = (headings: string, ...cells: readonly string[]) =>
  csv(`${NAMED};${headings}`, ...cells.map((cell, at) => `${at + 1};Tasse ${at};${cell}`));

/** Tables in which a guess could be wrong: what is doubted, and what the price is proposed to be. */
const TRAPS: readonly (readonly [string, string, string, string | null])[] = [
  ['what the shop pays beside what customers pay', rows('EK;VK', '4;9'), 'pays', 'VK'],
  ['only what the shop pays', rows('Einkaufspreis', '4,10'), 'pays', null],
  ['net beside gross', rows('Nettopreis;Bruttopreis', '8,32;9,90'), 'without tax', 'Bruttopreis'],
  ['only net', rows('Preis netto', '8,32'), 'without tax', 'Preis netto'],
  ['a rate of tax beside the price', rows('Preis;MwSt-Satz', '8,32;19 %'), 'without tax', 'Preis'],
  ['two selling prices', rows('Verkaufspreis;Preis', '9;8'), 'each be the price', 'Verkaufspreis'],
  ['a price of unknown kind', rows('Preis;Preis ab 10 Stück', '9;8'), 'each be the price', 'Preis'],
  ['a price at times', rows('Preis;Angebotspreis', '9;8'), 'not be valid', 'Preis'],
  ['only a recommended price', rows('UVP', '9,90'), 'recommended', 'UVP'],
  ['a price of 0', rows('Preis', '9,90', '0,00'), 'means free', 'Preis'],
  ['a price that is no price', rows('Preis', 'auf Anfrage'), 'more than prices', null],
  ['money without a name', rows('Summe', '9,90'), 'might be the price', null],
  ['prices in two currencies', rows('Preis EUR;Preis CHF', '9;10'), 'each be', 'Preis EUR'],
  ['the same heading twice', rows('Preis;Preis', '9;8'), 'different headings', 'Preis'],
  ['stock that nobody counts', rows('Preis;Bestand', '9;0', '8;0'), 'sold out', 'Preis'],
  ['a state that may hide products', rows('Preis;Status', '9;neu'), 'hidden', 'Preis'],
  ['availability in unknown words', rows('Preis;Verfügbarkeit', '9;Q3'), 'unknown', 'Preis'],
  ['a currency that is no code', rows('Preis;Währung', '9;Taler'), 'currency codes', 'Preis'],
  ['two names', rows('Produktname;Preis', 'Becher;9'), 'each be the title', 'Preis'],
  [
    'article numbers that repeat',
    csv('Artikelnummer;Name;Preis', '1;Tasse rot;9', '1;Tasse blau;9'),
    'identify each row',
    'Preis',
  ],
  ['rows that are variants', rows('Preis;Vaterartikel', '9;77', '9;77'), 'one product', 'Preis'],
  ['no name', csv('Artikelnummer;Preis;Kurztext', '1;9;Tasse'), 'could be the title', 'Preis'],
];

test.each(TRAPS)('%s is never guessed in silence', async (_name, table, doubt, price) => {
  const { doubts, names } = await guessed(table);
  expect(doubts.join(' ')).toContain(doubt);
  const proposed = Object.keys(names).find((heading) => names[heading] === 'price');
  expect(proposed ?? null).toBe(price);
});

test('a doubtful table is refused, with the reason and the best guess, unless the caller asks', async () => {
  const bytes = chunks(new TextEncoder().encode(rows('EK;VK', '4,10;9,90')), 1000);
  await expect(openSource({ name: 'preise.csv', bytes })).rejects.toMatchObject({
    code: 'unsupported_media_type',
    message: expect.stringMatching(
      /^preise\.csv was not read.+"EK" is what.+"Art\.-Nr\.=id", "Bezeichnung=title", "VK=price"\.$/,
    ),
  });
});

test('what the caller maps is not guessed, and the rest is', async () => {
  const table = rows('EK;VK;Bild', '4,10;9,90;https://s.example/a.jpg');
  const found = await guessed(table, { mapping: { vk: 'price' } });
  expect([found.doubts, found.names]).toEqual([
    [],
    { 'Art.-Nr.': 'id', Bezeichnung: 'title', VK: 'price', Bild: 'image' },
  ]);
  expect(offerings(found)[0]?.priceMinor).toBe(990);
});

test('columns without a known heading are known by values that nothing else has', async () => {
  const codes = [
    '4006381333931',
    '4006381333948',
    '4006381333955',
    '4006381333962',
    '4006381333979',
  ];
  const cells = codes.map((code, at) => `9,90;${code};https://s.example/${at}.jpg;${at * 7}`);
  const { names, doubts } = await guessed(rows('Preis;X1;X2;X3', ...cells));
  expect(doubts).toEqual([]);
  expect(names).toMatchObject({ X1: 'gtin', X2: 'image' });
  expect(names).not.toHaveProperty('X3');
});

test('a heading’s currency counts, and an ambiguous one is refused', async () => {
  const dollars = await guessed(rows('Price (USD)', '9.90'));
  expect(offerings(dollars)[0]).toMatchObject({ currency: 'USD', priceMinor: 990 });
  await expect(guessed(rows('Price ($)', '9.90'))).rejects.toThrow('ambiguous currency');
  const canadian = await guessed(rows('Price ($)', '9.90'), { currency: 'CAD' });
  expect(offerings(canadian)[0]).toMatchObject({ currency: 'CAD' });
});

test('hidden products are left out, in any language', async () => {
  const { items, faults } = await guessed(rows('Preis;Aktiv', '9;ja', '8;nein', '7;ja'));
  expect(items.length).toBe(2);
  expect(faults).toEqual(['3 not_published']);
});

test('several addresses in one cell are all pictures', async () => {
  const cells = 'https://s.example/1.jpg|https://s.example/2.jpg';
  const found = await guessed(rows('Preis;Bilder', `9;${cells}`));
  expect(offerings(found)[0]?.images).toEqual(cells.split('|'));
});

test.each([
  ['a log', '2026-01-01 GET /a 200\n2026-01-01 GET /b 200\n'],
  ['a list of people', 'Name,Mail,Phone\nAnn,a@a.example,1\n'],
  ['a table without rows', 'Artikelnummer;Bezeichnung;Preis\n'],
  ['text', 'Just text, with commas, and more.\nAnd a second line, too.\n'],
])('%s is no list of products', async (_name, text) => {
  const bytes = chunks(new TextEncoder().encode(text), 1000);
  await expect(openSource({ name: 'x.txt', bytes })).rejects.toThrow('unknown format');
});

test('JSON without an id is refused with its members and how to map one of them', async () => {
  const text = '[{"name":"Lamp","price":9,"maker":{"name":"Acme"}}]';
  const bytes = () => chunks(new TextEncoder().encode(text), 1000);
  await expect(openSource({ name: 'x.json', bytes: bytes() })).rejects.toThrow(
    'JSON with the members name, price, maker. Each product needs an id, a title, and a price or a link',
  );
  const mapping = new Map([['maker', 'id']]);
  const { format } = await openSource({ name: 'x.json', bytes: bytes() }, { mapping });
  expect(format.name).toBe('openai-jsonl');
});

test('no heading means two things in any two languages', () => {
  const said = Object.values(HEADINGS).flatMap((lines) =>
    lines
      .replace(/^\s*\w+:/gm, ',')
      .split(',')
      .filter((word) => word.trim() !== ''),
  );
  expect(said.length).toBeGreaterThan(1000);
  expect(said.filter((word) => meaningsOf(word).size !== 1)).toEqual([]);
});

test('every name that a guess gives is one that the reader knows', async () => {
  const known = new Set<string>(Object.values(FEED_NAMES).flat());
  const given = TABLES.flatMap(([, { names }]) => names).filter((name) => name !== '');
  expect([...new Set(given)].filter((name) => !known.has(name))).toEqual([]);
});
