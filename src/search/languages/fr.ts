import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** French, also as it is written in Belgium, Canada and Switzerland. */
export const FRENCH: LanguageWords = {
  code: 'fr',
  analysis: {
    ...ANY.analysis,
    materials: `
      laine, lainage
      beurre, beurré
      sucre, sucré
      parfum, parfumé`,
    decimal: ',',
    // Snowball's French stemmer makes one term of different things: `imperméable` and `imperméabiliser`,
    // `fine` and `fini`. These are the endings of number, gender and the commonest verb forms.
    endings: `
      s -, x -, e -, es -, ee -, ees -, er -, ers -, ere -, eres -, ez -, eaux eau, yaux yau, aux al, is i, ise i, ises i,
      eux eu, euse eu, euses eu, eus eu, ais ai, aisse ai, aisses ai`,
    stemEndings: 'll l, nn n, tt t, ss s, f v, anch anc, aich ai, ngu ng',
    apostropheEndings: '',
    elisions: 'l d j qu n s c m t jusqu lorsqu puisqu aujourd quelqu',
    units: {
      mm: 'millimètre, millimètres, millimetre, millimetres',
      cm: 'centimètre, centimètres, centimetre, centimetres',
      m: 'mètre, mètres, metre, metres',
      km: 'kilomètre, kilomètres, kilometre, kilometres',
      in: 'pouce, pouces',
      ft: 'pied, pieds',
      ml: 'millilitre, millilitres',
      cl: 'centilitre, centilitres',
      l: 'litre, litres',
      mg: 'milligramme, milligrammes',
      g: 'gramme, grammes, gr',
      kg: 'kilo, kilos, kilogramme, kilogrammes',
      oz: 'once, onces',
      mb: 'mo, mégaoctet, mégaoctets',
      gb: 'go, gigaoctet, gigaoctets',
      tb: 'to, téraoctet, téraoctets',
      w: 'watt, watts',
      kw: 'kilowatt, kilowatts',
      v: 'volt, volts',
      hz: 'hertz',
      mp: 'mégapixel, mégapixels',
      lm: 'lumen, lumens',
      db: 'décibel, décibels',
    },
    times: 'sur, par',
    freeBefore: 'sans, non, exempt de, exempte de',
    freeBetween: 'aucun, aucune',
    irregularPlurals:
      'doux douce, roux rousse, sec sèche, œil yeux, travail travaux, corail coraux, bétail bestiaux',
  },
  question: {
    ...ANY.question,
    stopWords: `
      je cherche cherchons cherchez recherche nous voudrais voudrions aimerais veux voulons souhaite besoin il faut un
      une des les la le du de et ou pour avec sur dans est sont suis êtes sommes elle elles ils vous tu avez ai as a
      ont mon ma mes votre vos notre nos son sa ses leur leurs quel quelle quels quelles qui que quoi comment où quand
      combien pourquoi s'il plaît svp merci bonjour salut bonsoir au aux en par vers chez ce cet cette ces ça c'est
      qu'est est-ce y on se si me te lui plus moins très bien quelque quelques chose puis-je peut peux pouvez peut-on
      avez-vous vendez proposez montrez montre donnez conseillez acheter trouver trouve dont comme aussi tout toute
      tous toutes pas trop sans entre jusque environ maximum minimum d j qu n c t taille pointure ne soit soient être
      puis cher chère chers chères ajouté ajoutés ajoutée ajoutées remplacer`,
    people: `
      mère maman père papa parents grand-mère grand-père mamie papi femme mari homme copine copain ami amie partenaire
      sœur frère fille fils enfant enfants bébé ado adolescent professeur étudiant étudiante débutant débutante collègue
      patron voisin voisine invité couple amateur passionné fan randonneur`,
    synonyms: `
      canapé, sofa, divan
      fauteuil, bergère
      pantalon, falzar
      baskets, tennis, sneakers
      smartphone, portable, téléphone
      téléviseur, télévision, télé, tv
      réfrigérateur, frigo
      aspirateur, balai aspirateur
      pull, chandail, tricot, pullover
      sweat à capuche, hoodie
      lampe torche, torche
      lampe frontale, frontale
      sac à dos, rucksack
      valise, trolley
      sac à main, sac
      portefeuille, porte-monnaie
      poussette, landau
      couette, édredon
      oreiller, traversin
      rideau, voilage
      couverture, plaid
      serviette, drap de bain
      torchon, essuie-mains
      bouilloire, théière
      casserole, poêlon
      cocotte, faitout, marmite
      poêle, sauteuse
      tasse, mug
      couverts, ménagère
      planche à découper, billot
      poubelle, corbeille
      lave-linge, machine à laver
      lave-vaisselle, machine
      sèche-linge, séchoir
      lampe, luminaire
      ampoule, led
      bureau, secrétaire
      armoire, penderie
      étagère, bibliothèque
      tapis, moquette
      veste, blouson
      manteau, parka
      imperméable, ciré
      chemise, chemisette
      t-shirt, tee-shirt, maillot
      chaussette, soquette
      gant, moufle
      bonnet, tuque
      écharpe, foulard, cache-nez
      chaussure, soulier
      botte, bottine
      chausson, pantoufle
      randonnée, marche, trek, trekking
      casque, écouteurs
      enceinte, haut-parleur
      ordinateur, pc
      écran, moniteur
      chargeur, adaptateur
      batterie, pile, accumulateur
      câble, cordon
      vélo, bicyclette
      tente, abri
      gourde, bouteille, bidon
      sac de couchage, duvet
      perceuse, visseuse
      cadeau, présent
      carte cadeau, bon cadeau
      confiture, marmelade
      chocolat, cacao
      biscuit, gâteau sec
      miel, nectar
      bio, biologique
      sans fil, wireless
      imperméable, étanche, waterproof
      retour, renvoi
      livraison, expédition, envoi
      bon marché, pas cher`,
    vagueWords: 'cadeau cadeaux idée idées surprise',
    headEnds:
      'mon, ma, mes, notre, nos, pour, avec, sans, en, de, du, des, à, au, aux, qui, sous, contre, compatible',
    shopTopics: `
      livraison livrer expédition expédier retour retourner renvoyer échange échanger remboursement rembourser
      garantie paiement payer facture commande annuler annulation colis frais port horaires confidentialité mentions
      réclamation rétractation ouverture`,
    policyWords: `
      conditions modalités informations infos politique règles délai délais faq plusieurs fois boutique magasin`,
    shopQuestions: [
      {
        begins: `
          comment, quand, où, ou, combien, quel, quelle, quels, quelles, pourquoi, que, est-ce que, y a-t-il, qui, dans
          quel, en combien`,
        about: `
          je, j', nous, vous, votre, vos, on, livraison, livraisons, retour, retours, commande, remboursement, frais,
          échange, garantie, magasin, boutique, colis`,
      },
      {
        begins: `
          puis-je, peut-on, pouvez-vous, livrez-vous, acceptez-vous, proposez-vous, faites-vous, dois-je, avez-vous,
          expédiez-vous, offrez-vous, réparez-vous, est-il possible`,
        about: `
          retourner, renvoyer, échanger, payer, commander, livrer, annuler, rembourser, réparer, livraison, retour,
          retours, magasin, en, à, par, de, un, une, la, les, mon, ma`,
      },
    ],
  },
  constraints: {
    ...ANY.constraints,
    currencies: {
      EUR: 'euro, euros',
      CHF: 'franc suisse, francs suisses, francs',
      USD: 'dollar, dollars',
      GBP: 'livre sterling, livres sterling',
    },
    numbers: `
      dix 10, quinze 15, vingt 20, vingt-cinq 25, trente 30, quarante 40, cinquante 50, soixante 60, soixante-dix 70, septante
      70, quatre-vingts 80, octante 80, quatre-vingt-dix 90, nonante 90, cent 100, cent cinquante 150, deux cents 200, trois
      cents 300, cinq cents 500, mille 1000`,
    counted: `
      personne, personnes, places, place, pièces, pièce, minute, minutes, min, heure, heures, jour, jours, semaine,
      semaines, mois, an, ans, année, années, degré, degrés, pages, joueurs, fois, enfants, tasses, parts, tranches,
      étoile, étoiles`,
    upper: `
      moins de, à moins de, a moins de, pour moins de, en dessous de, au-dessous de, en-dessous de, sous les, sous, max,
      max., maximum, au maximum, au plus, jusqu'à, jusqu'a, inférieur à, inférieure à, inférieurs à, pas plus de, pas plus
      cher que, moins cher que, ne dépassant pas, dans la limite de, coûtant moins de, qui coûte moins de, plafond de,
      budget de, budget`,
    lower: `
      plus de, à plus de, à partir de, a partir de, au moins, minimum, au minimum, min, min., dès, supérieur à,
      supérieure à, au-dessus de, au dessus de, pas moins de`,
    around: `
      environ, autour de, aux alentours de, aux environs de, dans les, à peu près, vers, près de`,
    upperBehind: 'ou moins, maximum, max, max., au plus, au maximum, maxi',
    lowerBehind: 'ou plus, minimum, min, min., au moins, au minimum, et plus, mini',
    between: { from: 'entre', to: 'et, à, a' },
    fromTo: { from: 'de', to: "à, a, jusqu'à" },
    orders: {
      lowestPrice: `
        le moins cher, la moins chère, les moins chers, les moins chères, moins cher, moins chère,
        meilleur prix, le meilleur prix, prix le plus bas`,
      highestPrice: `
        le plus cher, la plus chère, les plus chers, les plus chères`,
      newest: `
        le plus récent, la plus récente, les plus récents, les plus récentes, dernier modèle,
        nouveautés`,
    },
    available: `
      en stock, disponible, disponibles, disponible immédiatement, disponible tout de suite,
      disponibles immédiatement, livrable, livrables, prêt à expédier, prête à expédier, qui est en stock,
      qui sont en stock, livrable immédiatement, livrables immédiatement, disponible de suite`,
    availableNotAfter: 'pas, plus, quand, nouveau, bientôt, non',
    negations: `
      sans, pas, pas de, pas en, mais pas, mais pas de, mais pas en, sauf, hormis, excepté, à part, autre que,
      autres que, non, ni, aucun, aucune, exempt de, exempte de, ne contient pas, ne contenant pas, surtout pas,
      allergique à, allergique au, allergique aux, je ne veux pas, ne veux pas, autres qu'en, autre qu'en, autres qu',
      plutôt que, plutôt qu', plutôt qu'un, plutôt qu'une, au lieu de, au lieu d'un, au lieu d'une, à la place de,
      à la place d'un, à la place d'une`,
    negationFillers: `
      de, du, des, la, le, les, un, une, en, au, aux, à, avec, d', l', aucun, aucune`,
    or: 'ou, et, ni',
    negationsRepeated: 'sans, pas de, pas, ni, de',
    noThings: `
      trop très si sûr sure seulement plus moins cher chère chers chères grand grande petit petite besoin problème idée
      encore fini fonctionne marche loin mal beaucoup vraiment forcément obligatoire nécessaire possible inclus
      compris fil manche`,
    endThings: `
      pour avec sous dans sur en à au aux de du des et ou qui que mais si plus moins entre environ svp pas sans par ni
      est sont ajouté ajoutés ajoutée ajoutées`,
  },
  items: {
    ...ANY.items,
    denied: 'false no none n/a non aucun aucune sans',
    nameHeadEnds: 'pour, avec, sans, en, de, du, des, à, au, aux, par, sous, compatible',
    isNounFirst: true,
    beforeNoun: `
      beau bel belle bon bonne grand grande gros grosse joli jolie meilleur meilleure mini nouveau nouvel nouvelle petit
      petite vieux vieille vrai vraie véritable deux trois quatre cinq six huit dix douze`,
    colours: `
      anthracite argent argenté beige blanc blanche bleu bleue bordeaux bronze brun brune cuivre crème doré écru fuchsia
      grenat gris grise ivoire jaune kaki lavande lilas marine marron menthe moutarde naturel noir noire olive or orange
      pourpre rose rouge sable sarcelle taupe terracotta transparent turquoise vert verte violet violette`,
    forms: 'lot coffret paire pièces set pack kit original assortiment paquet',
    accessories: `
      accessoire adaptateur batterie câble chargeur couvercle étui filtre fixation housse manche poignée protection
      rechange recharge sacoche sangle support`,
    clothesSizes: `
      xs, très petit
      s, petit
      m, moyen
      l, grand
      xl, très grand
      xxl, 2xl
      xxxl, 3xl`,
    optionWords: 'taille pointure couleur coloris variante modèle',
  },
};
