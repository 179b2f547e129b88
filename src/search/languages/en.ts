import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** English, with the German and French words that customers of English shops use. */
export const ENGLISH: LanguageWords = {
  code: 'en',
  analysis: {
    ...ANY.analysis,
    // English removes plural endings only, see `singular.ts`.
    stemmer: 'plural',
    apostropheEndings: 's m d t re ve ll',
    units: {
      mm: 'millimeter, millimeters, millimetre, millimetres',
      cm: 'centimeter, centimeters, centimetre, centimetres, zentimeter',
      m: 'mtr, mtrs, meter, meters, metre, metres, mètre, mètres',
      km: 'kilometer, kilometers, kilometre, kilometres',
      in: 'inch, inches, ins, in, zoll, pouce, pouces',
      ft: 'feet, foot',
      yd: 'yds, yard, yards',
      ml: 'milliliter, milliliters, millilitre, millilitres',
      cl: 'centiliter, centiliters, centilitre, centilitres',
      l: 'lt, liter, liters, litre, litres',
      floz: 'fluid ounce, fluid ounces',
      gal: 'gallon, gallons',
      qt: 'quart, quarts',
      mg: 'milligram, milligrams',
      g: 'gr, gram, grams, gramm',
      kg: 'kilo, kilos, kilogram, kilograms, kilogramm',
      oz: 'ounce, ounces, unzen',
      lb: 'lbs, pound, pounds, pfund',
      mb: 'megabyte, megabytes',
      gb: 'gig, gigs, gigabyte, gigabytes',
      tb: 'terabyte, terabytes',
      w: 'watt, watts',
      kw: 'kilowatt, kilowatts',
      v: 'volt, volts',
      amp: 'amps',
      hz: 'hertz',
      mp: 'megapixel, megapixels',
      lm: 'lumen, lumens',
      nm: `
        newton meter, newton meters, newton metre, newton metres, newtonmeter, newtonmeters,
        newtonmetre, newtonmetres`,
      db: 'decibel, decibels',
    },
    times: 'by',
    inchesBefore: `
      drive screen display monitor laptop tv tablet wide long tall deep high thick diameter round
      square`,
    freeEndings: '-free, frei, freie, freier, freien, freies, freiem',
    freeWords: 'free',
    freeBefore: 'without, no, non, free of, free from, ohne, sans',
    freeBetween: 'any, added',
    // `man` and `men` are left out: a product for men seldom mentions a man.
    materials: `
      wood, wooden
      wool, woolen, woollen`,
    irregularPlurals: `
      calf calves, child children, dwarf dwarves, elf elves, foot feet, goose geese, half halves,
      hoof hooves, knife knives, leaf leaves, loaf loaves, mouse mice, scarf scarves, shelf shelves,
      tooth teeth, wife wives, wolf wolves, woman women, cactus cacti`,
  },
  question: {
    stopWords: `
      a about all am an and any anything are as at be been but by can could did do does doesn don
      for from get give had has have hello hey hi how i if in into is isn it its just like looking
      me my need of on one or our please recommend sell shall she should show so some something tell
      than thank thanks that the their them then there these they this those to under want was we
      were what when where which who why will with would you your buy find replace`,
    // Some of them are also English words (`pour over`, `die cast`).
    foreignStopWords: [
      `
        ich suche wir brauche möchte hätte gerne ein eine einen einem einer der die das den dem des
        und oder für mit von zu zum zur im ist sind gibt es haben habt sie ihr mir mich bitte welche
        welcher welches was wie wo auf aus bei nach nicht kann man`,
      `
        je cherche nous voudrais besoin un une des les la le du de et ou pour avec sur dans est sont
        il elle vous avez mon ma mes quel quelle quels quelles qui que comment où s'il plaît au aux
        en pas`,
      `
        busco quiero necesito un una unos unas el la los las de del y o para con por en es son hay
        tiene tienen qué cuál cómo dónde mi me`,
    ],
    // "lover" must not be corrected to "lever".
    people: `
      lover fan enthusiast friend mother mum mom father dad parent grandmother grandma grandfather
      grandpa wife husband girlfriend boyfriend partner sister brother son daughter kid child baby
      toddler teenager teacher student beginner colleague coworker boss neighbour neighbor host
      guest couple`,
    // British and American English first, then the German and French nouns that are asked for most.
    synonyms: `
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
tea, thé
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
waterproof, wasserdicht, imperméable`,
    compoundJoints: '',
    compoundEndings: 'en, er, e, n',
    wordEndings: 'al d ed er ful ing ish ist ive less ly ness or r y',
    vagueWords: 'gift present idea surprise geschenk cadeau regalo',
    headEnds: `
      my, our, for, with, compatible, fit, fits, fitting, to fit, from, by, that, which, für, mit, pour,
      avec, para`,
    shopTopics: `
      cancel cancellation cancelling complaint cookie cost courier deliver delivered delivers
      delivery dispatch exchange exchanges fee guarantee hours imprint instalment installment
      invoice opening order parcel pay payment postage privacy refund refunds return returned
      returning returns ship shipment shipped shipping ships warranty withdrawal versand lieferung
      rückgabe widerruf garantie livraison retour`,
    policyWords: 'conditions details faq info information policies policy rules terms',
    shopQuestions: [
      {
        begins: 'how, can, could, may, do, does, will, when, where, is, are, what',
        about: 'i, we, you, your',
      },
      {
        begins: 'wie, kann, können, darf, wann, wo, muss, was, gibt',
        about: 'ich, wir, man, ihr, sie, eur, eure, ihre',
      },
    ],
  },
  constraints: {
    ...ANY.constraints,
    currencies: {
      USD: 'dollar, dollars, bucks',
      EUR: 'euro, euros',
      GBP: 'quid, pound, pounds',
      JPY: 'yen',
      CHF: 'franken',
    },
    numbers: `
      ten 10, fifteen 15, twenty 20, twenty-five 25, thirty 30, forty 40, fifty 50, sixty 60, seventy 70, eighty 80, ninety
      90, hundred 100, a hundred 100, one hundred 100, two hundred 200, three hundred 300, five hundred 500, a thousand 1000,
      one thousand 1000`,
    counted: `
      people, person, persons, personen, seat, seats, piece, pieces, pcs, pack, packs, stück, minute, minutes, min,
      mins, hour, hours, hr, hrs, day, days, week, weeks, month, months, year, years, times, degree, degrees, pages,
      player, players, tage, jahre, stunden, star, stars`,
    upper: `
      under, below, less than, lower than, cheaper than, no more than, not more than, at most, up
      to, upto, max, max., maximum, within, for less than, cost less than, costs less than, that
      cost less than, that costs less than, unter, bis zu, bis, höchstens, maximal, moins de,
      jusqu'à`,
    lower: `
      over, above, more than, greater than, higher than, at least, no less than, not less than, min,
      min., minimum, starting at, starting from, upwards of, über, ab, mindestens, plus de, au moins`,
    around: `
      around, about, approximately, approx, approx., roughly, circa, ca, ca., ungefähr, etwa,
      environ`,
    upperBehind: 'or less, or under, or below, or cheaper, max, maximum, at most',
    lowerBehind: 'or more, or above, or over, or higher, or up, min, minimum, at least',
    between: { from: 'between, zwischen, entre', to: 'and, und, et, to' },
    fromTo: { from: 'from, von, de', to: 'to, bis, à, until' },
    orders: {
      lowestPrice: `
        cheapest, cheapest price, lowest price, lowest prices, lowest priced, lowest-priced, least
        expensive, most affordable, best price, best prices, best priced`,
      highestPrice: `
        most expensive, highest price, highest prices, highest priced, priciest, dearest`,
      newest: 'newest, latest, most recent, new arrivals, just arrived',
    },
    available: `
      in stock, in-stock, which is in stock, which are in stock, that is in stock, that are in
      stock, available now, available today, available immediately, available right now, ready to
      ship, auf lager, sofort lieferbar, sofort verfügbar, en stock`,
    availableNotAfter: 'back, not, when, again',
    negations: `
      without, w/o, excluding, exclude, except, except for, other than, anything but, free of, free
      from, do not want, don't want, dont want, do not like, don't like, dont like, do not contain,
      does not contain, don't contain, doesn't contain, does not have, doesn't have, is not, isn't,
      are not, aren't, avoid, avoiding, allergic to, but not, not, no, ohne, kein, keine, keinen,
      sans`,
    negationFillers: `
      a, an, any, the, added, made of, made from, containing, with, ein, eine, einen, einem, einer,
      d', de, du`,
    or: 'or, and, nor, oder, und, ou, et',
    negationsRepeated: 'no, without',
    noThings: `
      too so very sure only just able working work necessarily really more less problem idea one
      matter thanks longer where yet included allowed know want like need have find`,
    endThings: `
      for with under below over in on to at by from and or that which but if when size mit für unter
      avec pour please between around less more up`,
    noThingEnding: 'ing',
  },
  items: {
    ...ANY.items,
    denied: 'false no none n/a nein non',
    nameHeadEnds: 'for, with, by, from, of, fits, compatible, für, mit, pour, avec, para, con',
    colours: `
      anthracite aqua beige black blue bronze brown burgundy charcoal chrome clear copper coral
      cream cyan gold golden gray green grey ivory khaki lime magenta maroon multicolor multicolour
      natural navy olive orange pink purple red rose silver tan teal transparent turquoise violet
      white yellow blau braun gelb gold grau grün lila rosa rot schwarz silber weiß argent blanc
      bleu gris jaune noir or rouge vert`,
    forms: `
      bundle cartridge kit multipack original pack package pair pc piece set singlepack`,
    accessories: `
      accessory adapter adaptor arm backpack bag battery binder bit blade bracket brush cable cap
      carrier case charger cleaner clip collector compartment connector cord cover cradle cushion
      descaler dock drum enclosure filament film filter fuser grip guard handle hanger harness
      holder holster hook hose insert ink label lamp lanyard leash lens lid liner lock maintenance
      mat mount mounting needle nozzle pad paper part pedal peg pin plug pod pouch protector rack
      refill remote replacement ribbon roller sharpener shelf shell skin sleeve slipcase slipcover
      spacer spare spray stand sticker strap stylus supply tip toner tray tripod trolley wallet
      warranty wrap`,
    clothesSizes: `
      xs, extra small, x small
      s, small
      m, medium
      l, large
      xl, extra large, x large
      xxl, 2xl, xx large, extra extra large
      xxxl, 3xl, xxx large`,
    optionWords: 'size colour color variant',
  },
};
