/** Snippets for embedding a badge: its URL, Markdown and HTML. */
import { shownLabel } from '../../../../domain/badge/svg.ts'
import { type BadgeFormat, encodeStrictly } from '../../../../domain/badge-urls.ts'
import { escapeHtml } from '../../../../lib/text/text.ts'

interface Embedding {
  /** the badge's own URL */
  readonly url: string
  /** the image URL; null for JSON */
  readonly image: string | null
  /** Markdown that shows the image; null for JSON */
  readonly markdown: string | null
  readonly html: string | null
}

const SHIELDS = 'https://img.shields.io/endpoint?url='

/** @param label the image's alt text, which comes from a user */
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

/** Escapes characters that are special in a Markdown image description (CommonMark 0.31, 2.4 and 6.4). */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>&!|~]/g, '\\$&')
}
