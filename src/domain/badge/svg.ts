/** Draws a badge as an SVG image: the label on the left, the status on the right, with the same dimensions as in Healthchecks. */

import { escapeHtml, oneLine } from '../../lib/text/text.ts'
import type { BadgeStatus } from './status.ts'
import { textWidth } from './text-width.ts'

/** Maximum length of a label, in code points. Check names are never longer, but tags can be. */
const LABEL_LIMIT = 100

const COLOURS: Readonly<Record<BadgeStatus, string>> = { up: '#4c1', late: '#fe7d37', down: '#e05d44' }

/** Padding on each side of the text, in px. Wide text can extend into it a little before being squeezed. */
const PADDING = 5
const SPARE = 3

/** @param label user input, neither escaped nor limited in length */
export function badgeSvg(label: string, status: BadgeStatus): string {
  const words = shownLabel(label)
  const left = box(words)
  const right = box(status)
  const width = left.width + right.width
  // If a page contains several badges, the gradient's id is not unique. That doesn't matter, because all these gradients are identical.
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img">`,
    `<title>${escapeHtml(`${words}: ${status}`)}</title>`,
    '<linearGradient id="badge-shade" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity=".1"/>',
    '<stop offset="1" stop-opacity=".1"/></linearGradient>',
    `<path fill="#555" d="M${left.width} 0v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z"/>`,
    `<path fill="${COLOURS[status]}" d="M${left.width} 0h${right.width - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left.width}z"/>`,
    `<rect width="${width}" height="20" rx="3" fill="url(#badge-shade)"/>`,
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">',
    left.text(left.width / 2),
    right.text(left.width + right.width / 2),
    '</g></svg>',
  ].join('')
}

/**
 * Returns the label on one line, shortened to the limit, without bidirectional control characters or characters that XML 1.0 forbids (2.2).
 */
export function shownLabel(label: string): string {
  const line = oneLine(label).replace(/[\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, '')
  const characters = [...line]
  return characters.length <= LABEL_LIMIT ? line : `${characters.slice(0, LABEL_LIMIT).join('')}…`
}

interface Box {
  readonly width: number
  /**
   * Draws the text.
   * @param centre distance from the left edge of the image, in px
   */
  text(centre: number): string
}

/** Returns a box that contains the text. `textLength` makes the text fit the box in any font, without separating joined letters. */
function box(text: string): Box {
  const { room, glyphs } = textWidth(text)
  const length = Math.min(glyphs, room + 2 * SPARE)
  const element = (centre: number, y: number, more: string) =>
    `<text x="${centre.toFixed(1)}" y="${y}" textLength="${length.toFixed(1)}" lengthAdjust="spacingAndGlyphs"${more}>` +
    `${escapeHtml(text)}</text>`
  return {
    width: room + 2 * PADDING,
    text: (centre) =>
      element(centre, 15, ' fill="#010101" fill-opacity=".3" aria-hidden="true"') + element(centre, 14, ''),
  }
}
