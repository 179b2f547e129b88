/** A question, and the text of a product or a policy that answers it. */
export interface CalibrationPair {
  readonly question: string;
  readonly answer: string;
}

const SUBJECTS = ['rain', 'coffee', 'music', 'dog', 'desk', 'returns'] as const;

type Subject = (typeof SUBJECTS)[number];
type Texts = Readonly<Record<Subject, readonly [question: string, answer: string]>>;

/*
 * Question and answer share as few words as a native speaker would let them: a model must relate them
 * by meaning. Each question is unrelated to the answers of the other five subjects.
 */
const TEXTS: Readonly<Record<string, Texts>> = {
  en: {
    rain: [
      'something against wet weather on a hike',
      'Waterproof jacket with hood and taped seams',
    ],
    coffee: ['beans for espresso', 'Dark roasted Arabica coffee, 1 kg'],
    music: ['wireless earphones for running', 'Bluetooth sport headphones, sweatproof, 8 hours'],
    dog: ['what can I feed my puppy', 'Dry food with chicken for young dogs'],
    desk: ['furniture for working at home', 'Height-adjustable office desk in oak, 120 cm'],
    returns: ['can I send back what I ordered', 'Returns are free of charge within 30 days'],
  },
  de: {
    rain: [
      'etwas gegen Nässe beim Wandern',
      'Wasserdichte Jacke mit Kapuze und versiegelten Nähten',
    ],
    coffee: ['Bohnen für Espresso', 'Dunkel gerösteter Arabica-Kaffee, 1 kg'],
    music: ['kabellose Ohrhörer zum Laufen', 'Bluetooth-Sportkopfhörer, schweißfest, 8 Stunden'],
    dog: ['was kann ich meinem Welpen füttern', 'Trockennahrung mit Huhn für junge Hunde'],
    desk: ['Möbel für die Arbeit zu Hause', 'Höhenverstellbarer Schreibtisch aus Eiche, 120 cm'],
    returns: ['kann ich Bestelltes zurückschicken', 'Rückgabe kostenlos innerhalb von 30 Tagen'],
  },
  fr: {
    rain: [
      'quelque chose contre l’humidité en randonnée',
      'Veste imperméable à capuche et coutures étanches',
    ],
    coffee: ['grains pour espresso', 'Café arabica torréfié foncé, 1 kg'],
    music: [
      'écouteurs sans fil pour courir',
      'Casque de sport Bluetooth, résistant à la sueur, 8 heures',
    ],
    dog: ['que donner à manger à mon chiot', 'Croquettes au poulet pour jeunes chiens'],
    desk: ['meuble pour travailler à la maison', 'Bureau en chêne réglable en hauteur, 120 cm'],
    returns: ['puis-je renvoyer ma commande', 'Retours gratuits sous 30 jours'],
  },
  es: {
    rain: [
      'algo contra la humedad para ir de excursión',
      'Chaqueta impermeable con capucha y costuras selladas',
    ],
    coffee: ['granos para espresso', 'Café arábica de tueste oscuro, 1 kg'],
    music: [
      'auriculares inalámbricos para correr',
      'Cascos deportivos Bluetooth resistentes al sudor, 8 horas',
    ],
    dog: ['qué le doy de comer a mi cachorro', 'Pienso con pollo para perros jóvenes'],
    desk: ['mueble para trabajar en casa', 'Escritorio de roble regulable en altura, 120 cm'],
    returns: ['puedo enviar de vuelta lo que pedí', 'Devoluciones gratuitas en 30 días'],
  },
  it: {
    rain: [
      'qualcosa contro l’umidità per le escursioni',
      'Giacca impermeabile con cappuccio e cuciture nastrate',
    ],
    coffee: ['chicchi per espresso', 'Caffè arabica a tostatura scura, 1 kg'],
    music: [
      'auricolari senza fili per correre',
      'Cuffie sportive Bluetooth resistenti al sudore, 8 ore',
    ],
    dog: ['cosa dare da mangiare al mio cucciolo', 'Crocchette di pollo per cani giovani'],
    desk: ['mobile per lavorare da casa', 'Scrivania in rovere regolabile in altezza, 120 cm'],
    returns: ['posso rimandare indietro l’ordine', 'Reso gratuito entro 30 giorni'],
  },
  nl: {
    rain: [
      'iets tegen nattigheid tijdens het wandelen',
      'Waterdichte jas met capuchon en getapete naden',
    ],
    coffee: ['bonen voor espresso', 'Donker gebrande arabica koffie, 1 kg'],
    music: [
      'draadloze oordopjes om te hardlopen',
      'Bluetooth-sportkoptelefoon, zweetbestendig, 8 uur',
    ],
    dog: ['wat kan ik mijn puppy te eten geven', 'Brokken met kip voor jonge honden'],
    desk: ['meubel om thuis te werken', 'In hoogte verstelbaar bureau van eikenhout, 120 cm'],
    returns: ['kan ik mijn bestelling terugsturen', 'Gratis retourneren binnen 30 dagen'],
  },
  pl: {
    rain: [
      'coś chroniącego przed deszczem w górach',
      'Wodoodporna kurtka z kapturem i klejonymi szwami',
    ],
    coffee: ['ziarna do espresso', 'Ciemno palona kawa arabica, 1 kg'],
    music: [
      'bezprzewodowe słuchawki do biegania',
      'Sportowy zestaw Bluetooth, odporny na pot, 8 godzin',
    ],
    dog: ['czym karmić mojego szczeniaka', 'Sucha karma z kurczakiem dla młodych psów'],
    desk: ['mebel do pracy w domu', 'Dębowe biurko z regulacją wysokości, 120 cm'],
    returns: ['czy mogę odesłać zamówienie', 'Bezpłatne zwroty w ciągu 30 dni'],
  },
  ru: {
    rain: ['что-нибудь от дождя в походе', 'Непромокаемая куртка с капюшоном и проклеенными швами'],
    coffee: ['зёрна для эспрессо', 'Кофе арабика тёмной обжарки, 1 кг'],
    music: [
      'беспроводные наушники для бега',
      'Спортивная гарнитура Bluetooth, защита от пота, 8 часов',
    ],
    dog: ['чем кормить щенка', 'Сухой корм с курицей для молодых собак'],
    desk: ['мебель для работы дома', 'Дубовый письменный стол с регулировкой высоты, 120 см'],
    returns: ['можно ли отправить заказ обратно', 'Бесплатный возврат в течение 30 дней'],
  },
  ja: {
    rain: ['ハイキングで雨に濡れないもの', 'フード付き防水ジャケット、シームテープ加工'],
    coffee: ['エスプレッソ用の豆', '深煎りアラビカコーヒー 1kg'],
    music: ['ランニング用のワイヤレスイヤホン', 'Bluetoothスポーツヘッドホン、防汗、8時間再生'],
    dog: ['子犬に何を食べさせればいいですか', '若い犬のためのチキン入りドライフード'],
    desk: ['在宅勤務用の家具', '高さ調節できるオーク材のデスク 120cm'],
    returns: ['注文したものを送り返せますか', '30日以内の返品は無料です'],
  },
};

/** By language (ISO 639-1), English first. */
export const CALIBRATION_PAIRS: ReadonlyMap<string, readonly CalibrationPair[]> = new Map(
  Object.entries(TEXTS).map(([language, texts]) => [
    language,
    SUBJECTS.map((subject) => ({ question: texts[subject][0], answer: texts[subject][1] })),
  ]),
);
