import type { ColumnUse } from '../record/reader.ts';
import { TableColumns, type TableHead } from '../record/table-columns.ts';

/**
 * The headings of WooCommerce's export, in export order and lower case: English, German, French, Spanish,
 * Italian, Dutch, Portuguese, Polish. Some have several translations, because language packs change.
 */
const HEADINGS = {
  id: ['id'],
  type: ['type', 'typ', 'tipo', 'soort'],
  sku: ['sku', 'artikelnummer', 'ugs', 'référence', 'cod', 'código', 'ref', 'art.-nr.', 'rek'],
  gtin: [
    'gtin, upc, ean, or isbn',
    'gtin, upc, ean oder isbn',
    'gtin, upc, ean ou isbn',
    'gtin, upc, ean o isbn',
    'gtin, upc, ean of isbn',
    'gtin, upc, ean lub isbn',
  ],
  name: ['name', 'nom', 'nombre', 'nome', 'naam', 'nazwa'],
  published: [
    ...['published', 'veröffentlicht', 'publié', 'publicado', 'pubblicato', 'gepubliceerd'],
    ...['opublikowano', 'opublikowany'],
  ],
  featured: [
    ...[
      'is featured?',
      'ist hervorgehoben?',
      'hervorgehoben?',
      'mis en avant?',
      '¿está destacado?',
    ],
    ...[
      'in primo piano?',
      'uitgelicht?',
      'em destaque?',
      'é destaque?',
      'wyróżniony produkt?',
      'wyróżniony?',
    ],
  ],
  visibility: [
    ...['visibility in catalog', 'sichtbarkeit im katalog', 'katalogsichtbarkeit'],
    ...['visibilité dans le catalogue', 'visibilidad en el catálogo', 'visibilità nel catalogo'],
    ...['zichtbaarheid in catalogus', 'visibilidade no catálogo', 'widoczność w katalogu'],
  ],
  shortDescription: [
    ...['short description', 'kurzbeschreibung', 'description courte', 'descripción corta'],
    ...['breve descrizione', 'descrizione breve', 'korte beschrijving', 'korte omschrijving'],
    ...['descrição curta', 'breve descrição', 'krótki opis'],
  ],
  description: [
    ...[
      'description',
      'beschreibung',
      'descripción',
      'descrizione',
      'beschrijving',
      'descrição',
      'opis',
    ],
  ],
  saleFrom: [
    ...['date sale price starts', 'datum, an dem angebotspreis beginnt'],
    ...[
      'datum, an dem der angebotspreis beginnt',
      'angebotspreis gültig ab',
      'date de début de promo',
    ],
    ...['día en que empieza el precio rebajado', 'data di inizio del prezzo in offerta'],
    ...['startdatum actieprijs', 'data de preço promocional começa em'],
    ...['data rozpoczęcia promocji', 'data rozpoczęcia obowiązywania ceny promocyjnej'],
  ],
  saleUntil: [
    ...['date sale price ends', 'datum, an dem angebotspreis endet'],
    ...[
      'datum, an dem der angebotspreis endet',
      'angebotspreis gültig bis',
      'date de fin de promo',
    ],
    ...['día en que termina el precio rebajado', 'data di fine del prezzo in offerta'],
    ...['einddatum actieprijs', 'data de preço promocional termina em'],
    ...['data zakończenia promocji', 'data zakończenia obowiązywania ceny promocyjnej'],
  ],
  taxStatus: [
    ...['tax status', 'steuerstatus', 'état de la tva', 'statut fiscal', 'estado del impuesto'],
    ...['stato delle imposte', 'btw status', 'status do imposto', 'status podatku'],
  ],
  taxClass: [
    ...['tax class', 'steuerklasse', 'classe de tva', 'classe tva', 'clase de impuesto'],
    ...['aliquota di imposta', 'belastingklasse', 'classe de imposto', 'klasa podatkowa'],
  ],
  inStock: [
    ...['in stock?', 'vorrätig?', 'auf lager?', 'en stock?', '¿existencias?', '¿en inventario?'],
    ...['op voorraad?', 'em estoque?', 'em stock?', 'w magazynie?'],
  ],
  stock: [
    ...[
      'stock',
      'lager',
      'bestand',
      'lagerbestand',
      'inventario',
      'inventaire',
      'magazzino',
      'voorraad',
    ],
    ...['estoque', 'stan magazynowy'],
  ],
  lowStock: [
    ...['low stock amount', 'geringe lagermenge', 'montant de stock faible'],
    ...['cantidad de bajo inventario', 'lage voorraad', 'quantidade baixa de estoque'],
    ...['niski stan magazynowy'],
  ],
  backorders: [
    ...['backorders allowed?', 'lieferrückstände erlaubt?', 'rückstände erlaubt?'],
    ...[
      'autoriser les commandes de produits en rupture?',
      '¿permitir reservas de productos agotados?',
    ],
    ...['abilita gli ordini arretrati?', 'nabestellingen toestaan?', 'são permitidas encomendas?'],
    ...['pozwalać na zamówienia oczekujące (na dostawę do magazynu)?'],
  ],
  salePrice: [
    ...['sale price', 'angebotspreis', 'tarif promo', 'prix promo', 'precio rebajado'],
    ...['prezzo in offerta', 'actieprijs', 'preço promocional', 'cena promocyjna'],
  ],
  regularPrice: [
    ...['regular price', 'regulärer preis', 'normaler preis', 'tarif régulier', 'prix régulier'],
    ...[
      'precio normal',
      'precio regular',
      'prezzo di listino',
      'reguliere prijs',
      'preço',
      'preço normal',
    ],
    ...['cena', 'cena regularna'],
  ],
  categories: [
    ...['categories', 'kategorien', 'catégories', 'categorías', 'categorie', 'categorieën'],
    ...['categorias', 'kategorie'],
  ],
  tags: ['tags', 'schlagwörter', 'étiquettes', 'etiquetas', 'tag', 'tagi'],
  shippingClass: [
    ...['shipping class', 'versandklasse', "classe d'expédition", 'classe de livraison'],
    ...[
      'clase de envío',
      'classe di spedizione',
      'verzendklasse',
      'classe de entrega',
      'klasa wysyłkowa',
    ],
  ],
  images: [
    ...[
      'images',
      'bilder',
      'imágenes',
      'immagini',
      'immagine',
      'afbeeldingen',
      'imagens',
      'obrazki',
    ],
  ],
  downloadLimit: ['download limit', 'downloadlimit', 'limit pobrań', 'límite de descargas'],
  downloadExpiry: ['download expiry days', 'ablauftage des downloads', 'ważność pobierania'],
  parent: [
    ...[
      'parent',
      'übergeordnetes produkt',
      'eltern',
      'superior',
      'genitore',
      'hoofd',
      'ascendente',
    ],
    ...['element nadrzędny', 'nadrzędny'],
  ],
  grouped: [
    ...['grouped products', 'gruppierte produkte', 'groupes de produits', 'produits groupés'],
    ...[
      'productos agrupados',
      'prodotti raggruppati',
      'gegroepeerde producten',
      'produtos agrupados',
    ],
    ...['produkty grupowe'],
  ],
  upsells: ['upsells', 'zusatzverkäufe', 'produits suggérés', 'ventas dirigidas'],
  crossSells: ['cross-sells', 'cross-sells (querverkäufe)', 'ventes croisées', 'ventas cruzadas'],
  externalUrl: [
    ...['external url', 'externe url', 'url externe', 'url externa', 'url esterno'],
    ...['zewnętrzny adres url'],
  ],
  brands: ['brands', 'marken', 'marques', 'marcas', 'marchi', 'merken', 'marki', 'brand', 'marque'],
} as const;

export type WooColumn = keyof typeof HEADINGS;

const ORDER = Object.keys(HEADINGS) as WooColumn[];

/** Columns of the export that are ignored here. */
const UNUSED: ReadonlySet<WooColumn> = new Set<WooColumn>([
  ...(['featured', 'taxStatus', 'taxClass', 'lowStock', 'shippingClass'] as const),
  ...(['downloadLimit', 'downloadExpiry', 'grouped', 'upsells', 'crossSells'] as const),
]);

/** Columns that every WooCommerce export has. */
const NEEDED: readonly WooColumn[] = ['type', 'name', 'regularPrice'];

const ATTRIBUTE = /attribut|atribut|atrybut|eigenschap/;
const ATTRIBUTE_NAME = /\b(?:name|nom|nombre|nome|naam|nazwa)\b/;
const ATTRIBUTE_VALUE = /value|wert|valeur|valor|valore|valuta|waarde|warto/;

/** The columns with the name and values of one attribute. */
export interface AttributeColumns {
  readonly name: number;
  readonly values: number;
}

function wooName(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[\s\u00a0\u202f]+/g, ' ')
    .replace(/ \?/g, '?')
    .trim();
}

/** The columns that identify a WooCommerce export; null if the table is not one. */
export function wooMarks(columns: Iterable<string>): string[] | null {
  const names = new Set([...columns].map(wooName));
  const marks = NEEDED.map((column) => HEADINGS[column].find((heading) => names.has(heading)));
  const isWoo = [HEADINGS.inStock, HEADINGS.visibility, HEADINGS.published, HEADINGS.parent].some(
    (headings) => headings.some((heading) => names.has(heading)),
  );
  const found = marks.filter((mark) => mark !== undefined);
  return isWoo && found.length === NEEDED.length ? found : null;
}

/** The columns of one export. */
export class WooColumns extends TableColumns<WooColumn> {
  readonly attributes: readonly AttributeColumns[];
  /** Whether the headings are English, which suggests how prices are written. */
  readonly isEnglish: boolean;

  constructor(table: TableHead) {
    const names = table.names.map(wooName);
    super({ ...table, names: withPlaces(names) }, HEADINGS);
    this.isEnglish = names.includes('regular price');
    const found = new Map<string, { name: number; values: number }>();
    for (const [index, name] of names.entries()) {
      const number = /\d+/.exec(name)?.[0];
      if (number === undefined || !ATTRIBUTE.test(name)) continue;
      const columns = found.get(number) ?? { name: -1, values: -1 };
      if (ATTRIBUTE_NAME.test(name)) columns.name = index;
      else if (ATTRIBUTE_VALUE.test(name)) columns.values = index;
      found.set(number, columns);
    }
    this.attributes = [...found.values()].filter(
      ({ name, values }) => name !== -1 && values !== -1,
    );
  }

  override use(): ColumnUse {
    const others = this.attributes.flatMap(({ name, values }) => [name, values]);
    const { used, ignored } = super.use(others);
    const unused = ORDER.filter((column) => UNUSED.has(column)).map((column) =>
      this.heading(column),
    );
    return {
      used: used.filter((heading) => !unused.includes(heading)),
      ignored: [...ignored, ...used.filter((heading) => unused.includes(heading))],
    };
  }
}

/**
 * Names columns in an unknown language by position: between two known columns that are as far apart as in
 * WooCommerce's export.
 */
function withPlaces(names: readonly string[]): string[] {
  const filled = [...names];
  const places = ORDER.map((column) => {
    const found = HEADINGS[column].map((heading) => names.indexOf(heading));
    return found.find((index) => index !== -1) ?? -1;
  });
  const isKnown = new Set(places);
  for (let order = 0; order < ORDER.length; order += 1) {
    if (places[order] !== -1) continue;
    const before = places.findLastIndex((place, at) => at < order && place !== -1);
    const after = places.findIndex((place, at) => at > order && place !== -1);
    if (before === -1 || after === -1) continue;
    const place = places[before]! + order - before;
    if (places[after]! - places[before]! !== after - before || isKnown.has(place)) continue;
    filled[place] = HEADINGS[ORDER[order]!][0];
  }
  return filled;
}
