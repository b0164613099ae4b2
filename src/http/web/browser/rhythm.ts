/**
 * The caption of a rhythm plot. The pointer or the arrow keys move a hairline from day to day, and the caption shows the table's text for
 * the day. Enter or a click opens the day in the log.
 */
const SVG = 'http://www.w3.org/2000/svg'
const DAY = 86_400_000
/** Coordinates of the plot's right axis, its top and its base; see `parts/rhythm/scale.ts`. */
const [AXIS, TOP, BASE] = [44, 20, 192]
/** Number of cells in a table row for a single run. A row for a day has one more cell. */
const RUN_CELLS = 4
const KEYS = 'The left and right arrow keys move by day. Enter opens the day in the log.'

const NAMES = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })

let chosen: number | null = null

const plotOf = () => document.querySelector<HTMLElement>('#chart [data-columns]')
const rowsOf = (column: number) => document.querySelectorAll(`#chart tr[data-column="${column}"]`)

function dayOf({ dataset }: HTMLElement, column: number): number {
  return Date.parse(dataset.from ?? '') + column * Number(dataset.step) * DAY
}

/** Returns text such as `late, 04:00, 7 min`, or for several runs, `24 runs, 00:05 to 23:05, 1 failed`. */
function rowWords(cells: readonly string[]): string {
  const [, one = '', two = '', three = '', four = ''] = cells
  const words = cells.length === RUN_CELLS ? [three, one, two] : [`${one} runs`, `${two} to ${three}`, four]
  return words.filter((each) => !each.startsWith('–')).join(', ')
}

function wordsOf(plot: HTMLElement, column: number): string {
  const rows = Array.from(rowsOf(column), (row) => Array.from(row.children, (cell) => cell.textContent.trim()))
  if (rows.length === 0) {
    const day = NAMES.format(dayOf(plot, column)).replace(',', '')
    const name = plot.dataset.step === '1' ? day : `Week of ${day}`
    return `${name}: ${document.querySelector<HTMLElement>('#chart [data-rest]')?.dataset.rest}`
  }
  // The table lists the newest day first.
  const told = rows.reverse().map((cells, index) => {
    return rows[index - 1]?.[0] === cells[0] ? rowWords(cells) : `${cells[0]}: ${rowWords(cells)}`
  })
  return told.join('; ')
}

/** Returns the element that shows the caption. It is created once per chart. */
function outputOf(plot: HTMLElement): HTMLElement | null {
  const caption = plot.parentElement?.querySelector('figcaption')
  if (!caption) return null
  const next = caption.nextElementSibling
  if (next instanceof HTMLElement && next.matches('.read-out')) return next
  const output = document.createElement('p')
  output.className = 'read-out'
  output.setAttribute('aria-live', 'polite')
  caption.after(output)
  plot.setAttribute('aria-description', KEYS)
  return output
}

function show(): void {
  const plot = plotOf()
  const svg = plot?.querySelector('svg')
  if (!plot || !svg) return
  const output = outputOf(plot)
  const count = Number(plot.dataset.columns)
  const column = chosen === null ? null : Math.min(chosen, count - 1)
  const words = column === null ? '' : wordsOf(plot, column)
  if (output && output.textContent !== words) output.textContent = words
  let hair = svg.querySelector('.hair')
  if (column === null) {
    hair?.remove()
    return
  }
  if (!hair) {
    hair = document.createElementNS(SVG, 'path')
    hair.setAttribute('class', 'hair')
    svg.append(hair)
  }
  const x = ((column + 0.5) * (svg.viewBox.baseVal.width - AXIS)) / count
  hair.setAttribute('d', `M${x} ${TOP}V${BASE}`)
}

function choose(column: number | null): void {
  if (column === chosen) return
  chosen = column
  show()
}

function open(): void {
  const plot = plotOf()
  if (!plot || chosen === null) return
  const url = new URL(plot.dataset.log ?? '', location.href)
  // Both times are in the same time zone, regardless of the browser's zone.
  const until = Date.parse(`${url.searchParams.get('until')}Z`)
  const back = (Number(plot.dataset.columns) - 1 - chosen) * Number(plot.dataset.step) * DAY
  url.searchParams.set('until', new Date(until - back).toISOString().slice(0, 16))
  location.assign(url)
}

function columnAt(plot: HTMLElement, { clientX }: MouseEvent): number | null {
  const svg = plot.querySelector('svg')
  if (!svg) return null
  const { left, width } = svg.getBoundingClientRect()
  const all = svg.viewBox.baseVal.width
  const column = Math.floor((((clientX - left) / width) * all * Number(plot.dataset.columns)) / (all - AXIS))
  return column >= 0 && column < Number(plot.dataset.columns) ? column : null
}

const plotWith = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('#chart [data-columns]') : null

document.addEventListener('pointermove', (event) => {
  const plot = plotWith(event.target)
  if (plot) choose(columnAt(plot, event))
  else if (event.pointerType === 'mouse' && !plotOf()?.matches(':focus')) choose(null)
})
document.addEventListener('click', (event) => {
  const plot = plotWith(event.target)
  const column = plot && columnAt(plot, event)
  if (column === null) return
  // The first tap on a day only shows its caption.
  if (column === chosen) open()
  else choose(column)
})
document.addEventListener('focusout', ({ target }) => {
  if (plotWith(target)) choose(null)
})
document.addEventListener('keydown', (event) => {
  const plot = plotWith(event.target)
  if (!plot || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const last = Number(plot.dataset.columns) - 1
  const moves: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => choose(Math.max(0, (chosen ?? last + 1) - 1)),
    ArrowRight: () => choose(Math.min(last, (chosen ?? last - 1) + 1)),
    Home: () => choose(0),
    End: () => choose(last),
    Enter: open,
  }
  const move = moves[event.key]
  if (!move) return
  event.preventDefault()
  move()
  plot.querySelector('.hair')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
})

/** The element around the chart. The script observes it, because a live update that replaces the chart also removes the caption. */
const chart = document.querySelector('#chart')?.parentElement
if (chart) new MutationObserver(show).observe(chart, { subtree: true, childList: true })
show()
