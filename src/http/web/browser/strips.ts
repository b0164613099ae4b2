/**
 * Draws the last runs or the last 24 hours in a list's rows. A row is drawn when it is close to the visible area, and redrawn when its
 * letters change or a new quarter hour begins.
 */
import { dayPaths } from './day-paths.ts'
import { STRIP_HEIGHT, STRIP_WIDTH, stripPaths } from './strip-paths.ts'

const SVG = 'http://www.w3.org/2000/svg'
const CELLS = 'td[data-r]'

function draw(cell: HTMLElement): void {
  const { r: letters = '', q } = cell.dataset
  const { from, r } = document.getElementById('hours')?.dataset ?? {}
  const first = Number(q) - letters.length + 1 - Number(from)
  const drawn = `${letters} ${first} ${r}`
  const old = cell.querySelector('svg')
  if (old?.dataset.r === drawn) return
  const words = document.createElement('span')
  words.className = 'sr'
  words.textContent = cell.textContent.trim()
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', q ? 'nt' : 'strip')
  svg.setAttribute('viewBox', q ? '0 0 96 20' : `0 0 ${STRIP_WIDTH} ${STRIP_HEIGHT}`)
  if (q) svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('aria-hidden', 'true')
  svg.dataset.r = drawn
  for (const [look, path] of q ? dayPaths(letters, first, Number(r) - Number(from)) : stripPaths(letters)) {
    const element = document.createElementNS(SVG, 'path')
    element.setAttribute('class', look)
    element.setAttribute('d', path)
    svg.append(element)
  }
  cell.title = words.textContent
  cell.replaceChildren(words, svg)
}

/** Sets ARIA roles, because some browsers no longer treat rows as part of a table once they are laid out as a grid. */
function nameRoles(row: Element | null): void {
  row?.setAttribute('role', 'row')
  for (const cell of row?.children ?? []) cell.setAttribute('role', cell.matches('th') ? 'rowheader' : 'cell')
}

for (const element of document.querySelectorAll('#list, #list :is(thead, tbody), #list :is(thead, .group) *')) {
  const role = { TABLE: 'table', THEAD: 'rowgroup', TBODY: 'rowgroup', TR: 'row', TD: 'cell', TH: 'columnheader' }[
    element.tagName
  ]
  if (role) element.setAttribute('role', element.closest('.group') && role === 'columnheader' ? 'rowheader' : role)
}

const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue
      near.unobserve(target)
      draw(target)
      nameRoles(target.parentElement)
    }
  },
  { rootMargin: '600px 0px' },
)

function watch(root: Element): void {
  if (root.matches(CELLS)) near.observe(root)
  for (const cell of root.querySelectorAll(CELLS)) near.observe(cell)
}

/** Rows may be added later. After an update, a row contains text instead of its strip again. */
new MutationObserver((records) => {
  for (const { target, addedNodes } of records) {
    if (target instanceof Element && target.matches(CELLS)) near.observe(target)
    if (target instanceof Element && target.id === 'hours') {
      target.setAttribute('role', 'columnheader')
      watch(document.body)
    }
    for (const node of addedNodes) if (node instanceof Element) watch(node)
  }
}).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-r'] })
watch(document.body)
