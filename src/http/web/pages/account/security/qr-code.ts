/** QR codes, drawn as one path. */
import { type Html, html } from '../../../html.ts'

/** @param name for who can't see it */
export async function qrCode(text: string, name: string): Promise<Html> {
  // Hardly any page has one.
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${name}" shape-rendering="crispEdges"><path d="${squares.join('')}"/></svg>`
}
