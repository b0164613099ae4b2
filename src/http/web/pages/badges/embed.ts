/** Embeds a badge in other documents: its URL, and the lines of Markdown and HTML that show it. */
import { shownLabel } from '../../../../domain/badge/svg.ts'
import { type BadgeFormat, encodeStrictly } from '../../../../domain/badge-urls.ts'
import { escapeHtml } from '../../../../lib/text/text.ts'

interface Embedding {
  /** URL of the badge itself */
  readonly url: string
  /** URL of the image; null for JSON */
  readonly image: string | null
  /** null for JSON */
  readonly markdown: string | null
  readonly html: string | null
}

const SHIELDS = 'https://img.shields.io/endpoint?url='

/** @param label user input: the text for people who do not see the image */
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

/** Escapes the characters that have a meaning in the description of an image (CommonMark 0.31, 2.4 and 6.4). */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>&!|~]/g, '\\$&')
}
