/** How a badge gets into a document of somebody else: its URL, and the lines of Markdown and HTML that show it. */
import { shownLabel } from '../../../../domain/badge/svg.ts'
import { type BadgeFormat, encodeStrictly } from '../../../../domain/badge-urls.ts'
import { escapeHtml } from '../../../../lib/text/text.ts'

interface Embedding {
  /** of the badge itself */
  readonly url: string
  /** of the image; null for JSON, which is none */
  readonly image: string | null
  /** null for JSON */
  readonly markdown: string | null
  readonly html: string | null
}

const SHIELDS = 'https://img.shields.io/endpoint?url='

/** @param label user input: the text for who does not see the image */
export function embedBadge(url: string, label: string, format: BadgeFormat): Embedding {
  if (format === 'json') return { url, image: null, markdown: null, html: null }
  const image = format === 'shields' ? SHIELDS + encodeStrictly(url) : url
  const words = shownLabel(label)
  return {
    url,
    image,
    markdown: `![${escapeMarkdown(words)}](${image})`,
    html: `<img src="${escapeHtml(image)}" alt="${escapeHtml(words)}">`,
  }
}

/** In the description of an image only these have a meaning (CommonMark 0.31, 2.4 and 6.4). */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>&!|~]/g, '\\$&')
}
