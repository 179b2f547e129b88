import { describe, expect, test } from 'bun:test';
import { detectFormat } from '../../src/catalog/formats.ts';
import type { ColumnUse } from '../../src/catalog/record/reader.ts';
import { wooCsv } from '../../src/catalog/woo/woo-csv.ts';
import { offering, readAll } from './read.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');

/** The sample's headings in each language, in a fixed order. */
const HEADINGS = {
  English:
    'ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Published,Visibility in catalog,Short description,Description,Date sale price starts,Date sale price ends,In stock?,Stock,Backorders allowed?,Sale price,Regular price,Categories,Tags,Images,Parent,External URL,Brands,Attribute 1 name,Attribute 1 value(s)',
  German:
    'ID,Typ,Artikelnummer,"GTIN, UPC, EAN oder ISBN",Name,Veröffentlicht,Sichtbarkeit im Katalog,Kurzbeschreibung,Beschreibung,"Datum, an dem Angebotspreis beginnt","Datum, an dem Angebotspreis endet",Vorrätig?,Bestand,Lieferrückstände erlaubt?,Angebotspreis,Regulärer Preis,Kategorien,Schlagwörter,Bilder,Übergeordnetes Produkt,Externe URL,Marken,Attribut 1 Name,Attribut 1 Wert(e)',
  French:
    'ID,Type,UGS,"GTIN, UPC, EAN ou ISBN",Nom,Publié,Visibilité dans le catalogue,Description courte,Description,Date de début de promo,Date de fin de promo,En stock ?,Stock,Autoriser les commandes de produits en rupture ?,Tarif promo,Tarif régulier,Catégories,Étiquettes,Images,Parent,URL externe,Marques,Nom de l’attribut 1,Valeur(s) de l’attribut 1',
  Spanish:
    'ID,Tipo,SKU,"GTIN, UPC, EAN o ISBN",Nombre,Publicado,Visibilidad en el catálogo,Descripción corta,Descripción,Día en que empieza el precio rebajado,Día en que termina el precio rebajado,¿Existencias?,Inventario,¿Permitir reservas de productos agotados?,Precio rebajado,Precio normal,Categorías,Etiquetas,Imágenes,Superior,URL externa,Marcas,Nombre del atributo 1,Valor(es) del atributo 1',
  Italian:
    'ID,Tipo,COD,"GTIN, UPC, EAN o ISBN",Nome,Pubblicato,Visibilità nel catalogo,Breve descrizione,Descrizione,Data di inizio del prezzo in offerta,Data di fine del prezzo in offerta,In stock?,Magazzino,Abilita gli ordini arretrati?,Prezzo in offerta,Prezzo di listino,Categorie,Tag,Immagini,Genitore,URL esterno,Marchi,Attributo 1 nome,Attributo 1 valore(i)',
  Dutch:
    'ID,Type,SKU,"GTIN, UPC, EAN of ISBN",Naam,Gepubliceerd,Zichtbaarheid in catalogus,Korte beschrijving,Beschrijving,Startdatum actieprijs,Einddatum actieprijs,Op voorraad?,Voorraad,Nabestellingen toestaan?,Actieprijs,Reguliere prijs,Categorieën,Tags,Afbeeldingen,Hoofd,Externe URL,Merken,Naam eigenschap 1,Waarde(n) eigenschap 1',
  Portuguese:
    'ID,Tipo,SKU,"GTIN, UPC, EAN ou ISBN",Nome,Publicado,Visibilidade no catálogo,Descrição curta,Descrição,Data de preço promocional começa em,Data de preço promocional termina em,Em estoque?,Estoque,São permitidas encomendas?,Preço promocional,Preço,Categorias,Tags,Imagens,Ascendente,URL externa,Marcas,Nome do atributo 1,Valores do atributo 1',
  Polish:
    'ID,Typ,SKU,"GTIN, UPC, EAN lub ISBN",Nazwa,Opublikowano,Widoczność w katalogu,Krótki opis,Opis,Data rozpoczęcia promocji,Data zakończenia promocji,W magazynie?,Stan magazynowy,Pozwalać na zamówienia oczekujące (na dostawę do magazynu)?,Cena promocyjna,Cena,Kategorie,Tagi,Obrazki,Element nadrzędny,Zewnętrzny adres URL,Marki,Nazwa atrybutu 1,Wartości atrybutu 1',
} as const;

const ROWS = [
  '10,variable,TEE,,Tee,1,visible,Soft.,<p>Organic\\ncotton</p>,,,1,,0,,,"Clothing > Shirts, Sale","summer, men\\, women","https://shop.example/1.jpg, https://shop.example/2.jpg",,,Looma,Size,"S, M"',
  '11,simple,MUG,4006381333931,Mug,1,visible,,Blue,2026-06-01,2026-06-30,1,5,0,"7,50","9,90",Kitchen,,,,,,,',
  '12,variation,TEE-S,,Tee - S,1,visible,,,,,1,3,0,,"19,99",,,,id:10,,,Size,S',
  '13,variation,TEE-M,,Tee - M,1,visible,,,,,0,0,0,"15","1.019,99",,,https://shop.example/m.jpg,TEE,,,Size,M',
];

describe('an export in', () => {
  test.each(Object.entries(HEADINGS))('%s', async (_, header) => {
    const text = [header, ...ROWS].join('\n');
    expect(detectFormat({ text, fileName: 'x' })?.format.name).toBe('woocommerce-csv');
    let use: ColumnUse | null = null;
    const onColumns = (columns: ColumnUse) => {
      use = columns;
    };
    const { items, said } = await readAll(wooCsv, text, { now: NOW, onColumns });
    expect(said).toEqual([]);
    expect(use!.ignored).toEqual([]);
    expect(offering(items)).toMatchObject({
      externalId: '11',
      name: 'Mug',
      priceMinor: 750,
      compareAtPriceMinor: 990,
      gtins: ['4006381333931'],
      productType: 'Kitchen',
      availability: 'in_stock',
    });
    expect(offering(items, 1)).toMatchObject({
      externalId: '10',
      name: 'Tee',
      description: 'Soft.\n\nOrganic cotton',
      sku: 'TEE',
      vendor: 'Looma',
      productType: 'Shirts',
      tags: ['summer', 'men, women'],
      images: [1, 2, 'm'].map((name) => `https://shop.example/${name}.jpg`),
      attributes: { category: 'Clothing > Shirts, Sale', size: 'S, M' },
      priceMinor: 1999,
      variants: [
        { id: '12', title: 'S', sku: 'TEE-S', priceMinor: 1999, availability: 'in_stock' },
        {
          id: '13',
          priceMinor: 1500,
          compareAtPriceMinor: 101_999,
          availability: 'out_of_stock',
          image: 'https://shop.example/m.jpg',
        },
      ],
    });
  });
});

test('recognizes headings in an unknown language by position', async () => {
  const english = HEADINGS.English.replace('Short description', 'Kort beskrivning').replace(
    'Sale price,',
    'Reapris,',
  );
  // The sample lacks columns between these, so only adjacent ones can be recognized.
  const { items } = await readAll(wooCsv, [english, ...ROWS].join('\n'), { now: NOW });
  expect(offering(items)).toMatchObject({ priceMinor: 750 });
  expect(offering(items, 1).description).toStartWith('Soft.');
});

const small = (...rows: string[]) =>
  [
    'ID,Type,SKU,Name,Published,In stock?,Stock,Backorders allowed?,Sale price,Regular price,Description,Parent,Visibility in catalog',
    ...rows,
  ].join('\n');

test.each([
  ['1,simple,,A,1,1,,,,1', 'in_stock'],
  ['1,simple,,A,1,0,,,,1', 'out_of_stock'],
  ['1,simple,,A,1,backorder,,,,1', 'backorder'],
  ['1,simple,,A,1,1,0,notify,,1', 'backorder'],
  ['1,simple,,A,1,,,,,1', 'unknown'],
  ['1,simple,,A,1,,4,,,1', 'in_stock'],
  ['1,"simple, virtual",,A,,outofstock,,,,1', 'out_of_stock'],
  ['1,grouped,,A,1,1,,,,', 'in_stock'],
])('%s is %s', async (row, availability) => {
  const { items, said } = await readAll(wooCsv, small(`${row},,,`));
  expect(said).toEqual([]);
  expect(offering(items).availability).toBe(availability as never);
});

test('reports faults by row and keeps the valid parts of a product', async () => {
  const text = small(
    "1,simple,,'=A,1,1,,,,5,'-x,,",
    '2,simple,,B,1,1,,,,x,,,',
    '3,variable,,C,1,,,,,,,,',
    '4,variation,,C,1,1,,,,1.2.3,,id:3,',
    '5,variation,,C,1,1,,,,7,,id:3,',
    '6,variation,,D,1,1,,,,7,,id:99,',
    '7,simple,,E,0,1,,,,7,,,',
    '8,simple,,F,1,1,,,,7,,,hidden',
    ',simple,,G,1,1,,,,7,,,',
    '10,simple,,H,1,1',
    '11,simple,,,1,1,,,,7,,,',
  );
  const { items, said, errorsCsv } = await readAll(wooCsv, text, { name: 'woo.csv' });
  expect(items.map(({ externalId, name }) => [externalId, name])).toEqual([
    ['1', '=A'],
    ['3', 'C'],
  ]);
  expect(offering(items)).toMatchObject({ description: '-x' });
  expect(said.toSorted()).toEqual(
    [
      '3 error invalid_price Regular price',
      '5 error invalid_price Regular price',
      '7 error missing_parent -',
      '8 warning not_published Published',
      '9 warning not_published Visibility in catalog',
      '10 error missing_value ID',
      '11 error column_count -',
      '12 error missing_value Name',
    ].toSorted(),
  );
  const mended = errorsCsv.replace('1.2.3', '1.20').replace('id:99', 'id:3');
  const again = await readAll(wooCsv, mended);
  expect(offering(again.items, again.items.length - 1).variants.map(({ id }) => id)).toEqual([
    '4',
    '5',
    '6',
  ]);
});

test('determines the decimal separator from the prices', async () => {
  const comma = await readAll(
    wooCsv,
    small('1,simple,,A,1,1,,,,"9,90",,,', '2,simple,,B,1,1,,,,1.250,,,'),
  );
  expect(comma.items).toMatchObject([{ priceMinor: 990 }, { priceMinor: 125_000 }]);
  const point = await readAll(
    wooCsv,
    small('1,simple,,A,1,1,,,,9.90,,,', '2,simple,,B,1,1,,,,1.250,,,'),
  );
  expect(point.said).toEqual(['3 error ambiguous_price Regular price']);
});

describe('an export is read in further languages, with whichever columns it has', () => {
  test.each([
    [
      'ID,Typ,Namn,Publicerad,I lager?,Ordinarie pris,Kategorier,Attribut 1 namn,Attribut 1 värde(n)',
      'simple',
    ],
    ['ID,タイプ,名前,公開済み,在庫の有無,標準価格,カテゴリー,属性 1 の名前,属性 1 の値', 'simple'],
    [
      'ID,Тип,Имя,Опубликован,В наличии?,Базовая цена,Категории,Имя атрибута 1,Значение(-я) аттрибута(-ов) 1',
      'simple',
    ],
    [
      'SKU,Name,Visibility in catalog,Published,In stock?,Regular price,Categories,Attribute 1 name,Attribute 1 value(s)',
      'visible',
    ],
  ])('%s', async (headings, second) => {
    const content = `${headings}\n7,${second === 'simple' ? 'simple,Lamp' : 'Lamp,visible'},1,1,"19,90",Home,Wood,Oak\n`;
    expect(detectFormat({ text: content, fileName: 'x' })?.format.name).toBe('woocommerce-csv');
    const { items, said } = await readAll(wooCsv, content);
    expect(said).toEqual([]);
    expect(items).toMatchObject([
      {
        externalId: '7',
        name: 'Lamp',
        priceMinor: 1990,
        availability: 'in_stock',
        productType: 'Home',
        attributes: { wood: 'Oak' },
      },
    ]);
  });

  test('without the column Type, the parent tells a variation', async () => {
    const { items, said } = await readAll(
      wooCsv,
      'SKU,Name,Published,In stock?,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)\nS,Shirt,1,1,,,Size,"S, M"\nS-1,Shirt - S,1,1,20,S,Size,S\nC,Cup,1,0,5,,,\n',
    );
    expect(said).toEqual([]);
    expect(items).toMatchObject([
      { externalId: 'S', priceMinor: 2000, variants: [{ id: 'S-1', options: { Size: 'S' } }] },
      { externalId: 'C', availability: 'out_of_stock' },
    ]);
  });
});
