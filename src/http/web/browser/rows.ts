/**
 * Keyboard navigation and selection in the list of checks. Rows may be replaced at any time, so the script does not keep references to
 * them.
 */
import { onKey } from './keys.ts'

const ROWS = '#list tr[id]'
const BOXES = '#list input[name="c"]'
/** Id of the most recently selected or deselected row. A range selection starts there. */
let anchorId = ''

const all = <Kind extends Element>(selector: string) => Array.from(document.querySelectorAll<Kind>(selector))
const boxOf = (row: Element | null) => row?.querySelector<HTMLInputElement>('input[name="c"]') ?? null
const linkOf = (row: Element | undefined) => row?.querySelector<HTMLAnchorElement>('th > a') ?? null
const currentRow = () => document.activeElement?.closest(ROWS) ?? null
const byId = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind | null

function move(step: 1 | -1): boolean {
  const rows = all(ROWS)
  const row = currentRow()
  const index = row === null ? (step === 1 ? 0 : rows.length - 1) : rows.indexOf(row) + step
  const link = linkOf(rows[index])
  link?.focus()
  link?.closest('tr')?.scrollIntoView({ block: 'nearest' })
  return link !== null
}

/** Selects or deselects a row. With `isRange`, also selects or deselects all rows between it and the most recently changed row. */
function select(row: Element | null, isTicked: boolean, isRange: boolean): boolean {
  const rows = all(ROWS)
  const [to, from] = [rows.indexOf(row as Element), rows.findIndex(({ id }) => id === anchorId)]
  if (row === null || to < 0) return false
  const range = isRange && from >= 0 ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [row]
  for (const each of range) {
    const box = boxOf(each)
    if (box) box.checked = isTicked
  }
  anchorId = row.id
  tell()
  return true
}

function tell(): void {
  const boxes = all<HTMLInputElement>(BOXES)
  const count = boxes.filter(({ checked }) => checked).length
  const everything = byId<HTMLInputElement>('select-all')
  if (everything) {
    everything.checked = count > 0 && count === boxes.length
    everything.indeterminate = count > 0 && count < boxes.length
  }
  // The button that selects all matches is only useful if the page does not show all of them.
  const matching = byId('select-matching')
  const box = matching?.querySelector('input')
  if (matching && box) {
    const isWhole =
      matching.dataset.number === String(boxes.length) || byId('list')?.hasAttribute('data-grows') === true
    matching.hidden = count < boxes.length || isWhole
    if (matching.hidden) box.checked = false
  }
  const number = box?.checked ? matching?.dataset.number : count
  const words = byId('selected')
  if (words) words.textContent = `${number} selected`
}

function clear(): boolean {
  const ticked = all<HTMLInputElement>(`${BOXES}:checked`)
  for (const box of ticked) box.checked = false
  if (ticked.length > 0) tell()
  return ticked.length > 0
}

/** Pauses or resumes the selected checks, or, if none are selected, the check whose row has the focus. */
function pauseOrResume(): boolean {
  const selected = all<HTMLInputElement>(`${BOXES}:checked`)
  const row = currentRow()
  if (selected.length === 0) {
    const box = boxOf(row)
    if (box === null) return false
    box.checked = true
  }
  const rows = selected.length === 0 ? [row] : selected.map((box) => box.closest('tr'))
  const isPaused = rows.every((each) => each?.classList.contains('paused'))
  document.querySelector<HTMLButtonElement>(`#bulk [value="${isPaused ? 'resume' : 'pause'}"]`)?.click()
  return true
}

onKey((key) => {
  const row = currentRow()
  if (key === 'j') return move(1)
  if (key === 'k') return move(-1)
  if (key === 'x') return select(row, !boxOf(row)?.checked, false)
  if (key === 'X') return select(row, true, true)
  if (key === 'p') return byId('bulk') !== null && pauseOrResume()
  const link = linkOf(row ?? undefined)
  if (link === null) return false
  if (key === 'o') link.click()
  else if (key === 'l') location.assign(`${link.href}/log`)
  else if (key === 'e') location.assign(`${link.href}/edit?tab=schedule`)
  else return false
  return true
})

document.addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement && event.target.id === 'tag') {
      event.preventDefault()
      document.querySelector<HTMLButtonElement>('#bulk [value="add-tag"]')?.click()
    }
    if (event.key !== 'Escape' || event.defaultPrevented) return
    if (document.querySelector('dialog[open], details[open]') || clear()) return
    const search = document.querySelector<HTMLInputElement>('#filters [name="q"]')
    if (search && search.value !== '') {
      search.value = ''
      search.dispatchEvent(new Event('input', { bubbles: true }))
    }
  },
  { capture: true },
)

document.addEventListener('click', ({ target, shiftKey }) => {
  if (!(target instanceof HTMLInputElement)) return
  if (target.matches(BOXES)) select(target.closest('tr'), target.checked, shiftKey)
  else if (target.id === 'select-all') {
    for (const box of all<HTMLInputElement>(BOXES)) box.checked = target.checked
    tell()
  } else if (target.closest('#select-matching')) tell()
})
document.addEventListener('reset', () => setTimeout(tell))
/** When the user navigates back to the page, the browser restores the selected checkboxes. */
addEventListener('pageshow', tell)
