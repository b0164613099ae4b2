/** The palette's entries. They are read from the server when the palette opens, and from the page's menu. */
import { rank } from './match.ts'

export interface Entry {
  readonly link: HTMLAnchorElement
  /** the entry's name in lowercase, without the text below it */
  readonly name: string
  /** other search terms for the entry, in lowercase */
  readonly more: string
}

export interface CheckEntry extends Entry {
  /** URL of the check's page, which identifies the check */
  readonly href: string
  /** the check's name in its original case */
  readonly title: string
  readonly id: string
}

export interface Names {
  readonly checks: readonly CheckEntry[]
  /** true if the server has more checks than it returned */
  readonly isCut: boolean
  readonly tags: readonly Entry[]
  readonly commands: readonly Entry[]
  readonly places: readonly Entry[]
  /** returns the commands for a check */
  readonly of: (check: CheckEntry) => readonly Entry[]
  /** returns the option that shows an entry in the list */
  readonly optionOf: (entry: Entry) => HTMLAnchorElement
}

/** @throws Error if the server responds with an error, or redirects to the sign-in page */
export async function readPart(address: string, signal?: AbortSignal): Promise<Document> {
  const answer = await fetch(address, { signal: signal ?? null })
  if (!answer.ok || answer.redirected) throw new Error('no answer')
  return new DOMParser().parseFromString(await answer.text(), 'text/html')
}

export function namesIn(page: Document): Names {
  const shapes = page.querySelector('[data-part="shapes"]')
  const ofRight = { read: linksIn(page, 'read'), write: linksIn(page, 'write') }
  return {
    checks: checksIn(page),
    isCut: page.querySelector('[data-cut]') !== null,
    tags: linksIn(page, 'tags').map(entryOf),
    commands: linksIn(page, 'commands').map(entryOf),
    places: [...menuEntries(), ...linksIn(page, 'places').map(entryOf)],
    of: ({ href, link }) => {
      const states = [link.className, link.className === 'paused' ? '' : 'watched']
      return ofRight[link.dataset.write === undefined ? 'read' : 'write']
        .filter(({ dataset: { when } }) => when === undefined || states.includes(when))
        .map((command) => entryOf(forCheck(command, href)))
    },
    optionOf: ({ link }) => {
      const option = document.importNode(link, true)
      const shape = link.className && shapes?.querySelector(`.${link.className}`)
      if (shape) option.prepend(document.importNode(shape, true))
      return option
    },
  }
}

export function checksIn(page: Document): readonly CheckEntry[] {
  return linksIn(page, 'checks').map((link) => {
    const href = link.getAttribute('href') ?? ''
    const title = link.querySelector('bdi')?.textContent ?? 'the check without a name'
    return { ...entryOf(link), href, title, id: href.slice(href.lastIndexOf('/') + 1) }
  })
}

export function linksIn(page: Document, part: string): readonly HTMLAnchorElement[] {
  return [...page.querySelectorAll<HTMLAnchorElement>(`[data-part="${part}"] > a`)]
}

export function entryOf(link: HTMLAnchorElement): Entry {
  const text = link.querySelector('span')?.cloneNode(true) as HTMLElement | undefined
  text?.querySelector('small')?.remove()
  return { link, name: text?.textContent.toLowerCase() ?? '', more: link.dataset.find?.toLowerCase() ?? '' }
}

/** Returns the matching entries, best match first. */
export function fitting<E extends Entry>(entries: readonly E[], words: readonly string[]): readonly E[] {
  return entries
    .map((entry) => ({ entry, rank: rank(entry.name, entry.more, words) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry)
}

function forCheck(command: HTMLAnchorElement, check: string): HTMLAnchorElement {
  const link = command.cloneNode(true) as HTMLAnchorElement
  link.setAttribute('href', check + command.getAttribute('href'))
  if (link.dataset.copies) link.dataset.copies = check + link.dataset.copies
  return link
}

/** Reads entries from the page's menu, which contains only links that the reader may open. */
function menuEntries(): readonly Entry[] {
  const links = document.querySelectorAll<HTMLAnchorElement>('.side li a')
  return [...links].map((entry) => {
    const href = entry.getAttribute('href') ?? ''
    const link = document.createElement('a')
    link.href = href
    const text = document.createElement('span')
    text.textContent = (entry.querySelector('bdi') ?? entry).textContent
    link.append(entry.querySelector('.i')?.cloneNode(true) ?? document.createElement('i'), text)
    const key = document.querySelector<HTMLElement>(`#key-help [data-go][href="${CSS.escape(href)}"]`)?.dataset.go
    if (key) {
      const keys = document.createElement('kbd')
      keys.textContent = `g ${key}`
      link.append(keys)
    }
    return entryOf(link)
  })
}
