import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Spanish, of Spain and of America. */
export const SPANISH: LanguageWords = {
  code: 'es',
  analysis: {
    ...ANY.analysis,
    materials: `
      cuero, piel
      lana, lanar
      azúcar, azucarado
      perfume, perfumado`,
    decimal: ',',
    stemmer: 'es',
    endings: 'ces z',
    irregularPlurals:
      'sartén sartenes, imagen imágenes, joven jóvenes, examen exámenes, almacén almacenes',
    apostropheEndings: '',
    units: {
      mm: 'milímetro, milímetros, milimetro, milimetros',
      cm: 'centímetro, centímetros, centimetro, centimetros',
      m: 'metro, metros, mts',
      km: 'kilómetro, kilómetros',
      in: 'pulgada, pulgadas',
      ft: 'pie, pies',
      ml: 'mililitro, mililitros',
      cl: 'centilitro, centilitros',
      l: 'litro, litros, lts',
      mg: 'miligramo, miligramos',
      g: 'gramo, gramos, gr, grs',
      kg: 'kilo, kilos, kilogramo, kilogramos',
      oz: 'onza, onzas',
      gb: 'gigabyte, gigabytes, gigas',
      tb: 'terabyte, terabytes',
      w: 'vatio, vatios, watts',
      v: 'voltio, voltios',
      hz: 'hercios',
      lm: 'lúmenes',
      db: 'decibelios',
    },
    times: 'por',
    freeBefore: 'sin, no, libre de, exento de',
    freeBetween: 'ningún, ninguna',
  },
  question: {
    ...ANY.question,
    stopWords: `
      busco buscamos buscando quiero queremos quisiera necesito necesitamos me gustaría un una unos unas el la los las
      lo de del y e o u para con por en es son ser está están hay tiene tienen tenéis tienes tengo qué cuál cuáles
      cómo dónde cuándo cuánto cuánta quién que mi mis su sus tu tus nuestro vuestro vuestra te se nos os le les a al
      hola gracias buenas buenos días favor porfa algo alguna alguno algún muy más menos como también este esta estos
      estas ese esa eso puedo puede podéis podría recomiendas recomienda recomendáis vendéis venden comprar encontrar
      muestra muéstrame dame sirve no sin entre hasta desde sobre talla añadido añadidos añadida añadidas reemplazar`,
    people: `
      madre mamá padre papá padres abuela abuelo mujer esposa marido esposo novia novio pareja hermana hermano hija hijo niño
      niña niños bebé adolescente profesor profesora estudiante principiante colega compañero jefe vecino invitado amigo
      amiga amante aficionado`,
    synonyms: `
      sofá, sillón, tresillo
      zapatillas, deportivas, tenis
      pantalón, pantalones
      móvil, celular, smartphone, teléfono
      televisor, televisión, tele, tv
      nevera, frigorífico, refrigerador, heladera
      aspiradora, aspirador
      jersey, suéter, pulóver
      sudadera, hoodie, buzo
      linterna, lámpara
      mochila, macuto
      maleta, valija
      bolso, cartera
      cartera, billetera, monedero
      cochecito, carrito
      edredón, nórdico
      almohada, cojín
      cortina, visillo
      manta, frazada, cobija
      toalla, paño
      hervidor, tetera
      cazuela, cacerola, olla
      olla, marmita, puchero
      sartén, paila
      taza, tazón
      cubiertos, cubertería
      tabla de cortar, tabla
      lavadora, lavarropas
      lavavajillas, lavaplatos
      lámpara, luz
      bombilla, bombillo, foco
      escritorio, mesa
      armario, ropero
      estantería, estante, librería
      alfombra, tapete
      chaqueta, cazadora, campera, chamarra
      abrigo, gabán
      impermeable, chubasquero
      camiseta, playera, remera
      calcetín, media
      guante, manopla
      gorro, gorra
      bufanda, pañuelo
      zapato, calzado
      bota, botín
      pantuflas, zapatillas de casa
      auriculares, audífonos, cascos
      altavoz, parlante, bocina
      portátil, laptop, notebook
      ordenador, computadora, computador
      pantalla, monitor
      cargador, adaptador
      pila, batería
      bicicleta, bici
      tienda, carpa
      botella, cantimplora, termo
      taladro, taladradora
      regalo, obsequio, detalle
      mermelada, confitura
      galleta, bizcocho
      bio, ecológico, orgánico
      inalámbrico, wireless
      devolución, cambio
      envío, entrega`,
    vagueWords: 'regalo regalos obsequio idea ideas sorpresa detalle',
    headEnds:
      'mi, mis, nuestro, nuestra, nuestros, nuestras, para, con, sin, de, del, en, a, que, contra, compatible, por, hasta',
    shopTopics: `
      envío envíos enviar entrega entregar devolución devoluciones devolver cambio cambiar reembolso reembolsar garantía pago pagar
      factura pedido cancelar paquete gastos portes horario horarios privacidad reclamación desistimiento`,
    policyWords: `
      condiciones política políticas información info plazo plazos normas faq tienda física`,
    shopQuestions: [
      {
        begins: `
          cómo, como, cuándo, cuando, dónde, donde, cuánto, cuanto, cuál, cual, qué, que, quién, por qué, hacéis, hacen,
          puedo, se puede, podéis, pueden, aceptáis, aceptan, tenéis, tienen, enviáis, envían, ofrecéis, hay`,
        about: `
          yo, mi, vosotros, ustedes, su, sus, vuestro, vuestra, vuestros, envío, envíos, devolución, devoluciones, devolver,
          devuelvo, cambiar, pagar, pago, garantía, tienda, pedido, reembolso, gastos, recoger, a`,
      },
    ],
  },
  constraints: {
    ...ANY.constraints,
    currencies: {
      EUR: 'euro, euros',
      USD: 'dólar, dólares, dolares',
      GBP: 'libra, libras',
      MXN: 'pesos',
    },
    numbers: `
      diez 10, quince 15, veinte 20, veinticinco 25, treinta 30, cuarenta 40, cincuenta 50, sesenta 60, setenta 70, ochenta
      80, noventa 90, cien 100, ciento cincuenta 150, doscientos 200, trescientos 300, quinientos 500, mil 1000`,
    counted: `
      persona, personas, plazas, piezas, pieza, minuto, minutos, min, hora, horas, día, días, semana, semanas, mes,
      meses, año, años, grados, páginas, jugadores, veces, niños, tazas, raciones, estrella, estrellas`,
    upper: `
      menos de, por menos de, a menos de, de menos de, por debajo de, debajo de, inferior a, hasta, máximo, maximo,
      como máximo, max, max., no más de, no mas de, que no pase de, más barato que, más barata que, menor de,
      menor que, bajo, de hasta, que cueste menos de, que cuesten menos de, presupuesto de, máx, máx., presupuesto,
      con un presupuesto de, con presupuesto de`,
    lower: `
      más de, mas de, por encima de, encima de, superior a, a partir de, desde, mínimo, minimo, como mínimo, al menos,
      por lo menos, min, min., mayor de, mayor que, no menos de, mín, mín.`,
    around: 'alrededor de, unos, unas, cerca de, aproximadamente, aprox, aprox., sobre, en torno a',
    upperBehind: `
      o menos, como máximo, máximo, max, max., a lo sumo, máx, máx.`,
    lowerBehind: `
      o más, o mas, como mínimo, mínimo, min, min., al menos, mín, mín.`,
    between: { from: 'entre', to: 'y, e, a' },
    fromTo: { from: 'de, desde', to: 'a, hasta' },
    orders: {
      lowestPrice: `
        más barato, más barata, más baratos, más baratas, el más barato, la más barata, los más baratos, las más baratas, más
        económico, más económica, más económicos, más económicas, mejor precio, al mejor precio, precio más bajo`,
      highestPrice: `
        más caro, más cara, más caros, más caras, el más caro, la más cara, los más caros, las más caras`,
      newest: `
        más nuevo, más nueva, más nuevos, más nuevas, más reciente, más recientes, novedades, último modelo`,
    },
    available: `
      en stock, disponible, disponibles, disponible ya, disponible ahora, en existencias, con existencias, que haya en stock,
      que esté en stock, listo para enviar, entrega inmediata`,
    availableNotAfter: 'no, cuándo, cuando, nuevo, otra vez',
    negations: `
      sin, no, que no sea, que no sean, que no tenga, que no lleve, que no contenga, pero no, pero sin, excepto,
      salvo, menos, excluyendo, libre de, libres de, exento de, no quiero, no me gusta, alérgico a, alérgica a,
      nada de, ni, en vez de, en lugar de`,
    negationFillers:
      'de, del, el, la, los, las, un, una, en, a, al, con, ningún, ninguna, sea, sean',
    or: 'o, u, y, e, ni',
    negationsRepeated: 'sin, no, de, ni',
    noThings: `
      muy tan tanto más menos caro cara caros caras grande pequeño demasiado demasiada solo sé problema idea funciona importa
      bien mal mucho de hay tengo puedo quiero sea incluido cables cable`,
    endThings: `
      para con bajo en sobre a al de del y o que si pero menos más entre por favor sin como hasta desde es son ni
      añadido añadidos añadida añadidas`,
  },
  items: {
    ...ANY.items,
    denied: 'false no none n/a ninguno ninguna sin falso',
    nameHeadEnds: 'para, con, sin, de, del, en, a, por, compatible, tipo',
    isNounFirst: true,
    beforeNoun: `
      auténtico auténtica bonito bonita buen buena gran mejor mejores mini nuevo nueva pequeño pequeña dos tres cuatro cinco
      seis ocho diez doce`,
    colours: `
      amarillo amarilla antracita arena azul beige blanco blanca bronce burdeos café caqui celeste cobre coral crema crudo dorado
      dorada fucsia granate gris lila malva marino marrón morado morada mostaza naranja natural negro negra oliva oro plata
      plateado rojo roja rosa salmón transparente turquesa verde violeta`,
    forms: 'juego pack paquete par piezas pieza set kit lote original unidades',
    accessories: `
      accesorio adaptador batería cable cargador cubierta estuche filtro funda mango protector recambio repuesto soporte tapa`,
    clothesSizes: `
      s, pequeño, pequeña
      m, mediano, mediana
      l, grande
      xl, extra grande
      xxl, 2xl
      xxxl, 3xl`,
    optionWords: 'talla tamaño color variante modelo número',
  },
};
