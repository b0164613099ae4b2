/** Masks: what of an output stays on this machine. */

const MASKED = '***'

/** The pattern of a mask. @throws SyntaxError when it is no regular expression */
export function maskOf(pattern: string): RegExp {
  return new RegExp(pattern, 'g')
}

/** The pattern of a secret, as it is and as URLs have it. */
export function maskOfSecret(secret: string): RegExp {
  const forms = new Set([secret, encodeURIComponent(secret)])
  return new RegExp([...forms].map((form) => RegExp.escape(form)).join('|'), 'g')
}

/** The text with {@link MASKED} in place of what the masks match, line by line. What is no UTF-8 stays if nothing matches. */
export function masked(text: Buffer, masks: readonly RegExp[]): Buffer {
  if (masks.length === 0) return text
  const plain = text.toString()
  const result = plain
    .split('\n')
    .map((line) => masks.reduce(maskedLine, line))
    .join('\n')
  return result === plain ? text : Buffer.from(result)
}

function maskedLine(line: string, mask: RegExp): string {
  return line.replace(mask, (match) => (match === '' ? '' : MASKED))
}
