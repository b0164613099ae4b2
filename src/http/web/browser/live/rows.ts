/**
 * Live updates of the rows in a list. A changed row flashes and is announced. It moves to its new group as soon as the reader stops using
 * the list.
 */
import { tellNews } from './news.ts'
import { hidePill, showPill } from './pill.ts'
import { onRefusal, onStream, reload, source } from './stream.ts'

const FLASH_MS = 1_400
const MOVE_MS = 200

/** ids of rows that no longer belong to the group that contains them */
const misplaced = new Set<string>()
/** Hidden table for the rows of new checks. The rows are updated in this table until they can be added to the list. */
const newcomers = document.createElement('table')
newcomers.hidden = true
let isStale = false
let hasNew = false

const list = () => document.getElementById('list')
const groups = () => Array.from(document.querySelectorAll<HTMLElement>('#list > tbody'))
/** Returns the first group that accepts the row. */
const groupOf = (row: Element) => groups().find(({ dataset }) => row.matches(dataset.rows ?? '*'))
const nameOf = (row: Element | null | undefined) => row?.querySelector('th > a')?.textContent ?? ''
const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const isMotionReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Returns whether the reader points at the list, has the focus in it, or has selected rows. */
function isBusy(): boolean {
  const table = list()
  if (table === null) return false
  return table.matches(':hover, :focus-within') || table.querySelector('input:checked') !== null
}

/** Returns whether reloading the page would interrupt what the reader is doing. */
function isInUse(): boolean {
  const field = document.activeElement
  return (
    isBusy() || document.querySelector('dialog[open]') !== null || field?.matches('input, select, textarea') === true
  )
}

/** Returns whether a form contains input that would be lost. */
function hasTyped(): boolean {
  // A text area has neither `checked` nor `defaultChecked`. A checkbox without a value has the value "on", but its default value is "".
  return Array.from(document.querySelectorAll<HTMLInputElement>('#main input, textarea')).some(
    (field) =>
      field.checked !== field.defaultChecked || (field.type !== 'checkbox' && field.value !== field.defaultValue),
  )
}

function move(row: HTMLElement): void {
  const group = groupOf(row)
  if (!group || row.parentElement === group) return
  const isByName = (new URLSearchParams(location.search).get('sort') || 'name') === 'name'
  const others = Array.from(group.querySelectorAll('tr[id]'))
  const next = isByName ? others.find((other) => names.compare(nameOf(other), nameOf(row)) > 0) : others[0]
  const before = row.getBoundingClientRect().top
  const isNew = newcomers.contains(row)
  if (next) next.before(row)
  else group.append(row)
  if (isNew) flash(row)
  if (isNew || isMotionReduced()) return
  const distance = before - row.getBoundingClientRect().top
  row.animate([{ transform: `translateY(${distance}px)` }, { transform: 'none' }], {
    duration: MOVE_MS,
    easing: 'ease-out',
  })
}

function flash(row: Element): void {
  row.classList.add('changed')
  setTimeout(() => row.classList.remove('changed'), FLASH_MS)
}

function moveAll(): void {
  for (const id of misplaced) {
    const row = document.getElementById(id)
    if (row) move(row)
  }
  misplaced.clear()
  tellPill()
}

function tellPill(): void {
  const again = () => location.reload()
  if (isStale) showPill('Checks change faster than this page can show.', 'Reload', again)
  else if (hasNew) showPill('There are new checks.', 'Reload', again)
  else if (misplaced.size > 0) showPill(misplacedWords(), 'Sort now', moveAll)
  else hidePill()
}

function misplacedWords(): string {
  const added = newcomers.rows.length
  const moved = misplaced.size - added
  const sentences = [
    added > 0 && (added === 1 ? '1 check is new.' : `${added} checks are new.`),
    moved > 0 && (moved === 1 ? '1 check has moved.' : `${moved} checks have moved.`),
  ]
  return sentences.filter(Boolean).join(' ')
}

function settle(): void {
  if (misplaced.size === 0) return
  if (isBusy()) tellPill()
  else moveAll()
}

function count(id: string | undefined, step: number): void {
  const number = document.getElementById(`n-${id}`)
  if (number) number.textContent = String(Number(number.textContent) + step)
}

/**
 * Updates the number of checks in each group. Unless the list is filtered, the number includes checks whose row is missing or will be added
 * later.
 */
function countGroups(): void {
  const query = new URLSearchParams(location.search)
  if (['q', 'tag', 'status', 'advice'].some((name) => query.getAll(name).some((value) => value !== ''))) return
  const numbers = document.getElementById('n-groups')?.textContent.split(' ') ?? []
  for (const [index, { id }] of groups().entries()) {
    const place = document.getElementById(`n-${id}`)
    if (place) place.textContent = numbers[index] ?? ''
  }
}

function isFilteredOut(row: Element): boolean {
  const query = new URLSearchParams(location.search)
  return ['status', 'advice'].some((name) => {
    const wanted = query.getAll(name)
    return wanted.length > 0 && !wanted.some((one) => row.classList.contains(one))
  })
}

/** A row's state and group. */
type Standing = readonly [state: string | null, group: Element | undefined]
const standingOf = (row: Element): Standing => [row.classList.item(0), groupOf(row)]

function changed(row: HTMLElement, [before, groupBefore]: Standing): void {
  const [after, group] = standingOf(row)
  flash(row)
  row.classList.toggle('unlisted', isFilteredOut(row))
  if (before !== after) {
    if (after === 'down') tellNews(`${nameOf(row)} is down`)
    else if (before === 'down') tellNews(`${nameOf(row)} is ${after === 'up' ? 'up again' : 'not down any more'}`)
  }
  if (group !== groupBefore) {
    count(group?.id, 1)
    count(groupBefore?.id, -1)
  }
  if (row.parentElement && row.parentElement !== group) misplaced.add(row.id)
  else misplaced.delete(row.id)
}

/** Each row's state and group before htmx swaps the row, by row id. */
const before = new Map<string, Standing>()

if (source) document.body.append(newcomers)

source?.addEventListener('htmx:before:swap', (event) => {
  if (!(event instanceof CustomEvent)) return
  for (const { target } of event.detail.tasks) {
    if (target instanceof HTMLTableRowElement) before.set(target.id, standingOf(target))
  }
})
source?.addEventListener('htmx:after:swap', () => {
  for (const [id, was] of before) {
    const row = document.getElementById(id)
    if (row) changed(row, was)
  }
  before.clear()
  countGroups()
  settle()
})

for (const event of ['pointerout', 'focusout', 'change']) {
  document.addEventListener(event, ({ target }) => {
    if (target instanceof Element && target.closest('#list')) setTimeout(settle)
  })
}

/** @returns whether the row is on the page, or will be added to it */
function add(id: string, html: string): boolean {
  if (document.getElementById(`c${id}`) !== null) return true
  if (list()?.hasAttribute('data-grows') !== true) return false
  newcomers.insertAdjacentHTML('beforeend', html)
  misplaced.add(`c${id}`)
  return true
}

onStream('removed', ({ data }) => {
  for (const publicId of JSON.parse(data)) {
    const row = document.getElementById(`c${publicId}`)
    if (row && newcomers.contains(row)) {
      row.remove()
      misplaced.delete(row.id)
      tellPill()
    }
    row?.classList.add('gone')
    row?.querySelector('th')?.append(' deleted by someone else')
  }
})
onStream('added', ({ data }) => {
  const rows: readonly { readonly id: string; readonly row: string }[] = JSON.parse(data)
  for (const { id, row } of rows) if (!add(id, row)) hasNew = true
  if (hasNew) tellPill()
  settle()
})
onStream('stale', () => {
  isStale = true
  tellPill()
})
onStream('fresh', () => {
  isStale = false
  tellPill()
})
onStream('reload', ({ data }) => {
  if (!isInUse() && !hasTyped() && reload()) return
  const words = data === 'rights' ? 'Your permissions on this page have changed.' : 'This page is out of date.'
  showPill(words, 'Reload', () => location.reload())
})
onRefusal(() => {
  if (!isInUse() && !hasTyped() && reload()) return
  showPill('You are signed out, or no longer have access to this page.', 'Reload', () => location.reload())
})
