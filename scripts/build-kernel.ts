/**
 * Assembles the WebAssembly kernel of the vector search into
 * `src/search/vectors/vector-kernel-code.ts`.
 *
 *   bun scripts/build-kernel.ts
 *
 * The code is committed, so that a build needs no assembler. A test checks that it matches this
 * text.
 */
import { writeFileSync } from 'node:fs';
import wabt from 'wabt';

/** Vectors compared together, and bytes per memory access. */
const BATCH = 8;
const LINE_BYTES = 64;

/** Names of the bit counter's four intermediate results, by the value of each bit. */
const COUNTERS = ['ones', 'twos', 'fours', 'eights'] as const;

/** Planes of sixteens: 64 of them are more than three classes of 31 groups add up to. */
const SIXTEENS = [
  'sixteens0',
  'sixteens1',
  'sixteens2',
  'sixteens3',
  'sixteens4',
  'sixteens5',
] as const;
const PLANES = [...COUNTERS, ...SIXTEENS];

const V128_LOCALS = [
  ...PLANES,
  ...COUNTERS.slice(1).flatMap((name) => [`${name}A`, `${name}B`]),
  ...[
    'carry',
    'half',
    'first',
    'second',
    'finished0',
    'finished1',
    'lanes',
    'sum',
    'places',
    'digits',
  ],
];

/**
 * The module's text. Vectors are unsigned bytes; the query's bytes are widened to 16 bits
 * beforehand.
 */
export function kernelText(): string {
  return `(module
  (import "vitrine" "memory" (memory 1))

  ;; Dot product of one vector of \`stride\` bytes (a multiple of 16) and the query.
  (func $dot (param $vector i32) (param $query i32) (param $stride i32) (result i32)
    (local $end i32) (local $bytes v128) (local $low v128) (local $high v128)
    (local.set $end (i32.add (local.get $vector) (local.get $stride)))
    (loop $next
      (local.set $bytes (v128.load (local.get $vector)))
      (local.set $low (i32x4.add (local.get $low) (i32x4.dot_i16x8_s
        (i16x8.extend_low_i8x16_u (local.get $bytes)) (v128.load (local.get $query)))))
      (local.set $high (i32x4.add (local.get $high) (i32x4.dot_i16x8_s
        (i16x8.extend_high_i8x16_u (local.get $bytes)) (v128.load offset=16 (local.get $query)))))
      (local.set $vector (i32.add (local.get $vector) (i32.const 16)))
      (local.set $query (i32.add (local.get $query) (i32.const 32)))
      (br_if $next (i32.lt_u (local.get $vector) (local.get $end))))
    (local.set $low (i32x4.add (local.get $low) (local.get $high)))
    (local.set $low (i32x4.add (local.get $low)
      (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $low) (local.get $low))))
    (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low))))

  ;; The dot products of the vectors whose numbers (32 bits) stand at \`list\`, to \`out\` (32 bits).
  ;; The vectors lie far apart: those of a batch are first touched, line by line, so that the memory
  ;; brings them side by side and not one after the other. The result only keeps that from being left out.
  (func (export "dots") (param $list i32) (param $count i32) (param $vectors i32) (param $query i32)
    (param $stride i32) (param $out i32) (result i32)
    (local $end i32) (local $batchEnd i32) (local $at i32) (local $line i32) (local $rowEnd i32) (local $touched i32)
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (block $done (loop $batch
      (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
      (local.set $batchEnd (i32.add (local.get $list) (i32.const ${BATCH * 4})))
      (if (i32.gt_u (local.get $batchEnd) (local.get $end)) (then (local.set $batchEnd (local.get $end))))
      (local.set $at (local.get $list))
      (loop $row
        (local.set $line (i32.add (local.get $vectors) (i32.mul (i32.load (local.get $at)) (local.get $stride))))
        (local.set $rowEnd (i32.add (local.get $line) (local.get $stride)))
        (loop $lines
          (local.set $touched (i32.xor (local.get $touched) (i32.load (local.get $line))))
          (local.set $line (i32.add (local.get $line) (i32.const ${LINE_BYTES})))
          (br_if $lines (i32.lt_u (local.get $line) (local.get $rowEnd))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br_if $row (i32.lt_u (local.get $at) (local.get $batchEnd))))
      (loop $next
        (i32.store (local.get $out) (call $dot
          (i32.add (local.get $vectors) (i32.mul (i32.load (local.get $list)) (local.get $stride)))
          (local.get $query) (local.get $stride)))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br_if $next (i32.lt_u (local.get $list) (local.get $batchEnd))))
      (br $batch)))
    (local.get $touched))

  ;; Weighted differing sign bits of \`blocks\` times 128 vectors and the query, to \`out\` (16 bits,
  ;; OR-ed with \`mask\`). A row of 16 bytes has one dimension of 128 vectors. \`offsets\` (32 bits each)
  ;; and \`signs\` (32 bits each, 0 or -1) name the rows to compare, in groups of 16: \`groups1\` that count
  ;; once, then \`groups2\` twice, \`groups4\` four times. Bit-sliced: each plane has one binary digit of
  ;; 128 sums, rows are added with carry-save adders (Harley-Seal), and the next class of rows goes in
  ;; one plane higher up.
  (func (export "distances") (param $bits i32) (param $blockBytes i32) (param $offsets i32) (param $signs i32)
    (param $groups1 i32) (param $groups2 i32) (param $groups4 i32) (param $mask i32) (param $out i32) (param $blocks i32)
    (local $offset i32) (local $sign i32) (local $class i32) (local $groups i32) (local $end i32)
    ${V128_LOCALS.map((name) => `(local $${name} v128)`).join(' ')}
    (local.set $digits (v128.const i16x8 1 2 4 8 16 32 64 128))
    (block $done (loop $block
      (br_if $done (i32.eqz (local.get $blocks)))
      ${PLANES.map((name) => `(local.set $${name} (v128.const i64x2 0 0))`).join('\n      ')}
      (local.set $offset (local.get $offsets))
      (local.set $sign (local.get $signs))
      (local.set $class (i32.const 0))
      (local.set $groups (local.get $groups1))
      (loop $classes
        (loop $rows
          ${addSixteenRows()}
          ${SIXTEENS.map(
            (name) => `(local.set $half (v128.and (local.get $${name}) (local.get $carry)))
          (local.set $${name} (v128.xor (local.get $${name}) (local.get $carry)))
          (local.set $carry (local.get $half))`,
          ).join('\n          ')}
          (local.set $offset (i32.add (local.get $offset) (i32.const 64)))
          (local.set $sign (i32.add (local.get $sign) (i32.const 64)))
          (local.set $groups (i32.sub (local.get $groups) (i32.const 1)))
          (br_if $rows (local.get $groups)))
        (local.set $class (i32.add (local.get $class) (i32.const 1)))
        (if (i32.lt_u (local.get $class) (i32.const 3)) (then
          (if (i32.eq (local.get $class) (i32.const 1))
            (then (local.set $finished0 (local.get $ones)) (local.set $groups (local.get $groups2)))
            (else (local.set $finished1 (local.get $ones)) (local.set $groups (local.get $groups4))))
          ${PLANES.slice(1)
            .map((name, index) => `(local.set $${PLANES[index]!} (local.get $${name}))`)
            .join('\n          ')}
          (local.set $${PLANES.at(-1)!} (v128.const i64x2 0 0))
          (br $classes))))
      (local.set $places (v128.const i64x2 0 0))
      (local.set $end (i32.add (local.get $out) (i32.const 256)))
      (loop $unpack
        ${unpackPlaces()}
        (local.set $places (i8x16.add (local.get $places) (i8x16.splat (i32.const 1))))
        (local.set $mask (i32.add (local.get $mask) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (br_if $unpack (i32.lt_u (local.get $out) (local.get $end))))
      (local.set $bits (i32.add (local.get $bits) (local.get $blockBytes)))
      (local.set $blocks (i32.sub (local.get $blocks) (i32.const 1)))
      (br $block))))

  ;; The smallest distance that about \`wanted\` of the \`count\` at \`distances\` do not exceed, from
  ;; every \`step\`th of them. \`histogram\` has \`bins\` counters of 32 bits, all zero, and keeps its counts.
  (func (export "threshold") (param $distances i32) (param $count i32) (param $step i32) (param $wanted i32)
    (param $histogram i32) (param $bins i32) (result i32)
    (local $end i32) (local $distance i32) (local $slot i32) (local $sum i32)
    (local.set $end (i32.add (local.get $distances) (i32.shl (local.get $count) (i32.const 1))))
    (local.set $step (i32.shl (local.get $step) (i32.const 1)))
    (block $counted (loop $next
      (br_if $counted (i32.ge_u (local.get $distances) (local.get $end)))
      (local.set $distance (i32.load16_u (local.get $distances)))
      (if (i32.lt_u (local.get $distance) (local.get $bins)) (then
        (local.set $slot (i32.add (local.get $histogram) (i32.shl (local.get $distance) (i32.const 2))))
        (i32.store (local.get $slot) (i32.add (i32.load (local.get $slot)) (i32.const 1)))))
      (local.set $distances (i32.add (local.get $distances) (local.get $step)))
      (br $next)))
    (local.set $distance (i32.const 0))
    (block $found (loop $next
      (local.set $sum (i32.add (local.get $sum)
        (i32.load (i32.add (local.get $histogram) (i32.shl (local.get $distance) (i32.const 2))))))
      (br_if $found (i32.ge_u (i32.mul (local.get $sum) (i32.shr_u (local.get $step) (i32.const 1))) (local.get $wanted)))
      (local.set $distance (i32.add (local.get $distance) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $distance) (local.get $bins)))))
    (local.get $distance))

  ;; The numbers of those of \`blocks\` times 16 distances that are at most \`limit\`, to \`list\`. How many.
  (func (export "select") (param $distances i32) (param $blocks i32) (param $limit i32) (param $list i32) (result i32)
    (local $limits v128) (local $hits i32) (local $number i32) (local $start i32)
    (local.set $limits (i16x8.splat (local.get $limit)))
    (local.set $start (local.get $list))
    (block $done (loop $next
      (br_if $done (i32.eqz (local.get $blocks)))
      (local.set $hits (i8x16.bitmask (i8x16.narrow_i16x8_s
        (i16x8.le_u (v128.load (local.get $distances)) (local.get $limits))
        (i16x8.le_u (v128.load offset=16 (local.get $distances)) (local.get $limits)))))
      (block $none (loop $hit
        (br_if $none (i32.eqz (local.get $hits)))
        (i32.store (local.get $list) (i32.add (local.get $number) (i32.ctz (local.get $hits))))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (local.set $hits (i32.and (local.get $hits) (i32.sub (local.get $hits) (i32.const 1))))
        (br $hit)))
      (local.set $number (i32.add (local.get $number) (i32.const 16)))
      (local.set $distances (i32.add (local.get $distances) (i32.const 32)))
      (local.set $blocks (i32.sub (local.get $blocks) (i32.const 1)))
      (br $next)))
    (i32.shr_u (i32.sub (local.get $list) (local.get $start)) (i32.const 2)))
)`;
}

/**
 * Converts planes to 16-bit numbers for the eight vectors whose bits are byte `places` of each
 * plane.
 */
function unpackPlaces(): string {
  const lines = ['(local.set $sum (v128.const i64x2 0 0))'];
  for (const plane of ['finished0', 'finished1', ...PLANES].reverse()) {
    lines.push(
      `(local.set $lanes (v128.and (local.get $digits) (i8x16.swizzle (local.get $${plane}) (local.get $places))))`,
      // Minus one if the bit is set.
      `(local.set $sum (i16x8.sub (i16x8.add (local.get $sum) (local.get $sum)) (i16x8.eq (local.get $lanes) (local.get $digits))))`,
    );
  }
  lines.push(
    '(v128.store (local.get $out) (v128.or (local.get $sum) (v128.load (local.get $mask))))',
  );
  return lines.join('\n        ');
}

/** Adds 16 rows: leaves their sixteens in `carry`, the rest in the counters. */
function addSixteenRows(): string {
  const lines: string[] = [];
  const differing = (row: number) =>
    `(v128.xor (v128.load (i32.add (local.get $bits) (i32.load offset=${row * 4} (local.get $offset)))) (v128.load32_splat offset=${row * 4} (local.get $sign)))`;
  let row = 0;
  /** Fills `into` with the carry of this level, from twice as many results of the level below. */
  const add = (level: number, into: string): void => {
    const name = COUNTERS[level]!;
    if (level === 0) {
      lines.push(
        `(local.set $first ${differing(row++)})`,
        `(local.set $second ${differing(row++)})`,
      );
      lines.push(...carrySave(name, 'first', 'second', into));
      return;
    }
    add(level - 1, `${name}A`);
    add(level - 1, `${name}B`);
    lines.push(...carrySave(name, `${name}A`, `${name}B`, into));
  };
  add(3, 'carry');
  return lines.join('\n          ');
}

/** A full adder on every bit: `sum` becomes sum ⊕ left ⊕ right, `carry` their majority. */
function carrySave(sum: string, left: string, right: string, carry: string): string[] {
  const get = (name: string) => `(local.get $${name})`;
  return [
    `(local.set $half (v128.xor ${get(left)} ${get(right)}))`,
    `(local.set $${carry} (v128.or (v128.and ${get(left)} ${get(right)}) (v128.and ${get('half')} ${get(sum)})))`,
    `(local.set $${sum} (v128.xor ${get('half')} ${get(sum)}))`,
  ];
}

/** The assembled kernel in base64. */
export async function assembleKernel(): Promise<string> {
  const { parseWat } = await wabt();
  const parsed = parseWat('vector-kernel.wat', kernelText(), { simd: true });
  try {
    return Buffer.from(parsed.toBinary({}).buffer).toString('base64');
  } finally {
    parsed.destroy();
  }
}

if (import.meta.main) {
  const lines = (await assembleKernel()).match(/.{1,88}/g)!.map((line) => `  '${line}'`);
  const text = [
    '/** The WebAssembly of the vector kernel in base64. Made by `bun scripts/build-kernel.ts`: do not edit. */',
    `export const VECTOR_KERNEL_CODE =\n${lines.join(' +\n')};`,
  ];
  writeFileSync(
    new URL('../src/search/vectors/vector-kernel-code.ts', import.meta.url),
    `${text.join('\n')}\n`,
  );
}
