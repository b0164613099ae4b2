/**
 * Estimates the width of text in 11 px Verdana without needing the font. `Bun.stringWidth` is unsuitable because it counts terminal cells.
 * ASCII characters have the same widths as in Healthchecks, so that existing badges keep their size. Other widths are averages over words
 * in each script, measured in Chromium with DejaVu Sans and Noto.
 */

interface TextWidth {
  /** width to reserve for the text, in whole px */
  readonly room: number
  /** estimated width of the glyphs in px; can differ from `room` */
  readonly glyphs: number
}

const USUAL = 7

function table(groups: readonly (readonly [px: number, characters: string])[]): ReadonlyMap<string, number> {
  return new Map(groups.flatMap(([px, characters]) => [...characters].map((character) => [character, px] as const)))
}

/** Width to reserve for each ASCII character whose width is not {@link USUAL}. */
const ROOM = table([
  [3, 'ijlI'],
  [4, '-frJ'],
  [5, 't'],
  [6, 'cesx1FLP_'],
  [8, 'ACDHNUV'],
  [9, 'wGOQ'],
  [10, 'mM'],
  [11, 'W'],
])

/** Glyph widths of characters whose glyphs are much narrower or wider than the width reserved for them. */
const GLYPHS = table([
  [3, "'"],
  [3.5, ' ,.'],
  [3.7, '/:;\\|'],
  [4.4, '!()[]'],
  [5.3, '"*`'],
  [5.8, '?'],
  [8.6, '&'],
  [9.2, '#+<=>^~'],
  [10.5, '%'],
  [11, '@'],
])

const EMOJI = 14
const PICTURE = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\p{Regional_Indicator}{2}|\u20e3/u

/** Widths of character classes. The first class that matches a character is used. */
const CLASSES: readonly (readonly [px: number, characters: RegExp])[] = [
  // Combining marks, invisible characters, and the second and third parts of a Hangul syllable.
  [0, /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u],
  // Half-width forms. They are listed before the wide characters below, because the range of wide characters includes them.
  [5.5, /[\uff61-\uffdc]/u],
  [11, /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/u],
  [11, /[\p{Script=Han}\p{Script=Cuneiform}\p{Script=Egyptian_Hieroglyphs}\p{Script=Javanese}\p{Script=Balinese}]/u],
  [5, /[\p{Script=Arabic}\p{Script=Hebrew}]/u],
  [6, /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}]/u],
  [6, /[\p{Script=Kannada}\p{Script=Khmer}\p{Script=Tibetan}\p{Script=Mongolian}\p{Script=Thai}]/u],
  [8, /[\p{Script=Tamil}\p{Script=Telugu}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Myanmar}]/u],
  // Latin capitals are excluded, because Healthchecks uses a different width for them.
  [9, /(?!\p{Script=Latin})\p{Lu}|\p{Script=Cherokee}/u],
  [10, /[\p{So}\p{No}\p{Sm}\u2014\u2026]/u],
]

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

export function textWidth(text: string): TextWidth {
  let room = 0
  let glyphs = 0
  for (const { segment } of graphemes.segment(text)) {
    const widths = PICTURE.test(segment) ? [{ room: EMOJI, glyphs: EMOJI }] : [...segment].map(characterWidth)
    for (const width of widths) {
      room += width.room
      glyphs += width.glyphs
    }
  }
  return { room: Math.ceil(room), glyphs }
}

function characterWidth(character: string): TextWidth {
  const room = character <= '~' ? (ROOM.get(character) ?? USUAL) : classWidth(character)
  return { room, glyphs: GLYPHS.get(character) ?? room }
}

function classWidth(character: string): number {
  return CLASSES.find(([, characters]) => characters.test(character))?.[0] ?? USUAL
}
