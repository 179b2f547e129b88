import { termOf } from './words.ts';

/**
 * Synonyms that shops use, one group a line: British and American English first, then the German
 * and French nouns that are asked for most. The project's own list. Two names of equally many words
 * replace each other word by word. For a single word, only the first word of a longer name is used,
 * so the most specific word comes first. Only true synonyms belong here: a rug is not a carpet.
 */
const GROUPS = `
sofa, couch, settee, canapé, sofa
armchair, fauteuil, sessel
trousers, pants, slacks, hosen, hose, pantalon
sneakers, trainers, turnschuhe, baskets
cell phone, mobile phone, smartphone, handy
tv, television, telly, fernseher, téléviseur
fridge, refrigerator, kühlschrank, réfrigérateur
hoover, vacuum cleaner, staubsauger, aspirateur
jumper, sweater, pullover, jersey
hoodie, hooded sweatshirt
torch, flashlight, taschenlampe
headlamp, headtorch, stirnlampe
head torch, headlamp, headtorch, stirnlampe
head lamp, headlamp, headtorch
cafetière, french press
allen key, hex key, inbusschlüssel
spanner, wrench, schraubenschlüssel
flash drive, usb stick
thumb drive, usb stick
usb key, usb stick
carry-on, cabin, handgepäck
suitcase, trolley, koffer, valise
backpack, rucksack, knapsack
daypack, backpack
bag, tasche, sac
purse, handbag
wallet, portemonnaie, geldbörse, billfold
nappy, diaper, windel
pram, stroller, pushchair, buggy, kinderwagen
cot, crib
dummy, pacifier
duvet, comforter, bettdecke, quilt
pillow, kissen, oreiller
cushion, kissen, coussin
curtain, drape, vorhang, rideau
blanket, throw, decke, couverture
towel, handtuch, serviette
tap, faucet
hob, cooktop, stovetop
cooker, stove, herd
kettle, wasserkocher, bouilloire
saucepan, pot, topf, casserole
frying pan, skillet pan
frypan, skillet, pfanne, poêle
dutch oven, cocotte
cup, mug, tasse, becher
plate, teller, assiette
cutlery, flatware, silverware, besteck, couverts
knife, messer, couteau
chopping board, cutting board
tea towel, dish towel
bin, trash can
rubbish, trash, garbage
tin opener, can opener
cling film, plastic wrap
washing machine, washer, waschmaschine
dryer, trockner
dishwasher, geschirrspüler, spülmaschine
iron, bügeleisen
lamp, light, lampe, leuchte
bulb, light bulb, glühbirne, ampoule
desk, schreibtisch, bureau
table, tisch
chair, stuhl, chaise
rocking chair, rocker chair
rocking chair, schaukelstuhl
bookcase, bookshelf, bücherregal
shelf, regal, étagère
wardrobe, closet, kleiderschrank, armoire
mirror, spiegel, miroir
rug, teppich, tapis
bed, bett, lit
mattress, matratze, matelas
jacket, jacke, veste
rain jacket, raincoat
coat, mantel, manteau
rain, regen
shirt, hemd, chemise
t-shirt, tee, tshirt
dress, kleid, robe
skirt, rock, jupe
sock, socke, chaussette
glove, handschuh, gant
hat, hut, chapeau, mütze
beanie, watch cap, wollmütze
scarf, schal, écharpe
shoe, schuh, chaussure
boot, stiefel, botte, wellies
hiking, wandern, walking, trekking
hiking, wander
sandal, sandale
slipper, hausschuh, pantoffel
swimsuit, bathing suit, swimming costume
tights, pantyhose
vest, waistcoat, gilet
dressing gown, bathrobe
braces, suspenders
belt, gürtel, ceinture
watch, uhr, montre
ring, bague
necklace, kette, collier
sunglasses, shades, sonnenbrille
glasses, eyeglasses, spectacles, brille, lunettes
headphones, kopfhörer, casque
earphones, earbuds, ohrhörer, écouteurs
speaker, loudspeaker, lautsprecher, enceinte
laptop, notebook, ordinateur
tablet, tablette
computer, pc, rechner
monitor, display, bildschirm, écran
keyboard, tastatur, clavier
mouse, maus, souris
printer, drucker, imprimante
charger, ladegerät, chargeur, power adapter
power bank, battery pack
battery, akku, batterie, accumulator
cable, cord, kabel, câble, lead
memory card, sd card
hard drive, hard disk
hard disc, hard disk, festplatte
games console, game console
camera, kamera
camcorder, video camera
sat nav, gps navigator
satnav, gps
case, hülle, étui
bicycle, bike, cycle, fahrrad, vélo
tent, zelt, tente
sleeping bag, schlafsack
hiking pole, trekking pole
walking pole, trekking pole
water bottle, trinkflasche, gourde
bottle, flasche, bouteille
flask, thermos
drill, bohrmaschine, perceuse
screw, schraube, vis
screwdriver, schraubendreher, schraubenzieher, tournevis
hammer, marteau
saw, säge, scie
tape measure, measuring tape
ladder, leiter, échelle
lawnmower, mower, rasenmäher
plaster, band-aid, pflaster
nail varnish, nail polish
perfume, fragrance, parfum, parfüm
moisturiser, moisturizer
shower gel, body wash
soap, seife, savon
candle, kerze, bougie
vase, blumenvase
toy, spielzeug, jouet
plush, stuffed animal, soft toy, kuscheltier
jigsaw puzzle, puzzle
gift, geschenk, cadeau
gift card, gift voucher, gutschein
coffee, kaffee, café
espresso, expresso
tea, tee, thé
chocolate, schokolade, chocolat
milk, milch, lait
oil, öl, huile
jam, marmelade, confiture
honey, honig, miel
pasta, noodle, nudeln, pâtes
biscuit, cookie, keks
sweets, candy
crisps, potato chips
bread, brot, pain
dog, hund, chien
cat, katze, chat
pet food, tierfutter
leash, lead, leine, laisse
football, soccer
christmas, xmas, weihnachten, noël
colour, color
grey, gray, grau, gris
aluminium, aluminum
jewellery, jewelry, schmuck
pyjamas, pajamas, schlafanzug
organic, bio
wireless, cordless, kabellos, sans-fil
waterproof, wasserdicht, imperméable
`;

/** The longest phrase that is looked up, in words. */
const PHRASE_WORDS_MAX = 2;

const SYNONYMS = readGroups(GROUPS);

/**
 * The synonyms of each of a question's terms, in order: `couch` → `sofa`; `cell phone` → `mobile`
 * for both terms. At most a dozen a term; empty for a term without synonyms. Pure.
 */
export function synonymsOf(terms: readonly string[]): string[][] {
  const found = terms.map((term) => new Set(SYNONYMS.get(term)?.flat()));
  for (let index = 0; index + 1 < terms.length; index++) {
    const others = SYNONYMS.get(`${terms[index]} ${terms[index + 1]}`) ?? [];
    for (const [first, second] of others) {
      found[index]!.add(first!);
      found[index + 1]!.add(second ?? first!);
    }
  }
  return found.map((set, index) => [...set].filter((term) => term !== terms[index]));
}

/** Phrase → the other names in its group, each reduced to the words that replace it. */
function readGroups(text: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  const synonyms = new Map<string, (readonly string[])[]>();
  for (const line of text.trim().split('\n')) {
    const phrases = line.split(',').map((phrase) =>
      phrase
        .trim()
        .split(/[\s-]+/)
        .map(termOf),
    );
    for (const phrase of phrases) {
      if (phrase.length > PHRASE_WORDS_MAX) continue;
      const key = phrase.join(' ');
      const others = phrases.filter((other) => other.join(' ') !== key);
      const standIns = others.map((other) =>
        other.length === phrase.length ? other : [other[0]!],
      );
      synonyms.set(key, [...(synonyms.get(key) ?? []), ...standIns]);
    }
  }
  return synonyms;
}
