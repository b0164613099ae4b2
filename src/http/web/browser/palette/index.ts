/**
 * The palette: a field and a list of matches. Check names are loaded whenever the palette opens, so that results appear immediately. The
 * server searches job output after a pause in typing. The field keeps the focus, and the list highlights the option that Enter would
 * choose.
 */
import { act } from './act.ts'
import { type CheckEntry, checksIn, entryOf, linksIn, type Names, namesIn, readPart } from './entries.ts'
import { checkGroups, doGroup, type Found, type Group, otherGroups, typedIn } from './groups.ts'
import { mark } from './match.ts'
import { visited } from './visited.ts'

const PAUSE_MS = 150
/** Index before the list is drawn. Drawing the list while the index has this value selects the first option. */
const NONE = -1
const NOTHING: Found = { checks: [], output: [] }

interface Option {
  readonly node: HTMLAnchorElement
  /** the check that the option represents; null for other options */
  readonly check: CheckEntry | null
}

const dialog = document.querySelector('#palette') as HTMLDialogElement
const field = dialog.querySelector('input') as HTMLInputElement
const list = dialog.querySelector('[role="listbox"]') as HTMLElement
const status = dialog.querySelector('[role="status"]') as HTMLElement

let names: Names | null = null
let found = NOTHING
let options: readonly Option[] = []
let chosen = NONE
/** The most recently selected check. The palette lists its commands. */
let subject: CheckEntry | null = null
/** Whether the palette lists all commands for {@link subject}. */
let isWide = false
let pause = 0
let asking = new AbortController()

function say(words: string, isShown = false): void {
  status.textContent = words
  status.className = isShown ? '' : 'sr'
}

/** Shows the result of running an option. Responses that are still pending do not overwrite it. */
function report(words: string): void {
  clearTimeout(pause)
  asking.abort()
  say(words, true)
}

function checkOfPage({ checks }: Names): CheckEntry | null {
  return checks.find(({ href }) => `${location.pathname}/`.startsWith(`${href}/`)) ?? null
}

/** @param shown the listed checks */
function commandsOf(all: Names, shown: readonly CheckEntry[]): readonly Group[] {
  const typed = typedIn(field.value)
  const isChosen = shown.length > 0
  if (isChosen) subject = shown.find(({ href }) => href === subject?.href) ?? shown[0] ?? null
  else if (!typed.isCommands) subject = null
  const check = subject ?? checkOfPage(all)
  return check ? [doGroup(all, typed, check, { isChosen, isWide })] : []
}

function draw(): void {
  if (names === null) return
  const typed = typedIn(field.value)
  const ofChecks = checkGroups(names, typed, found, visited())
  const shown = ofChecks.flatMap(({ entries }) => entries)
  const groups = [...ofChecks, ...commandsOf(names, shown), ...otherGroups(names, typed, found)]
  const next: Option[] = []
  const { optionOf } = names
  const nodes = groups.flatMap(({ title, entries }) => {
    if (entries.length === 0) return []
    const group = document.createElement('div')
    const heading = document.createElement('p')
    heading.textContent = title
    heading.ariaHidden = 'true'
    group.role = 'group'
    group.ariaLabel = title
    group.append(heading)
    for (const entry of entries) {
      const node = optionOf(entry)
      node.role = 'option'
      node.tabIndex = -1
      node.id = `palette-${next.length}`
      if (!found.output.includes(entry)) mark(node, typed.words)
      group.append(node)
      next.push({ node, check: shown[next.length] ?? null })
    }
    return [group]
  })
  const before = whatOf(options[chosen])
  options = next
  list.replaceChildren(...nodes)
  field.ariaExpanded = String(options.length > 0)
  choose(
    Math.max(
      0,
      options.findIndex((option) => whatOf(option) === before),
    ),
  )
  const { length } = options
  if (length === 0) say('Nothing found.', true)
  else say(length === 1 ? '1 result' : `${length} results`)
}

/**
 * Returns a string that identifies an option. It stays the same when the list is redrawn, so that a late response does not change the
 * option that Enter chooses.
 */
function whatOf(option: Option | undefined): string {
  return option ? `${option.node.getAttribute('href')} ${option.node.dataset.sends}` : ''
}

function choose(index: number): void {
  options[chosen]?.node.removeAttribute('aria-selected')
  chosen = index
  const option = options[index]
  if (option?.check && option.check.href !== subject?.href) {
    subject = option.check
    isWide = false
    draw()
    return
  }
  option?.node.setAttribute('aria-selected', 'true')
  option?.node.scrollIntoView({ block: 'nearest' })
  field.setAttribute('aria-activedescendant', option?.node.id ?? '')
}

/**
 * Moves the selection to the selected check's commands, or back.
 * @returns whether the selection moved
 */
function moveToCommands(isBack: boolean): boolean {
  const checks = options.filter(({ check }) => check).length
  const isOnCheck = options[chosen]?.check != null
  if (checks === 0 || isBack === isOnCheck) return false
  if (isBack) choose(options.findIndex(({ check }) => check?.href === subject?.href))
  else {
    isWide = true
    draw()
    choose(checks)
  }
  return true
}

async function askForOutput(): Promise<void> {
  asking.abort()
  asking = new AbortController()
  const { words, isCommands } = typedIn(field.value)
  if (words.length === 0 || isCommands) return
  try {
    const query = new URLSearchParams({ q: field.value })
    const page = await readPart(`${dialog.dataset.output}?${query}`, asking.signal)
    // The list of names may be incomplete. Checks whose names are known have already been listed.
    found = { checks: names?.isCut ? checksIn(page) : [], output: linksIn(page, 'output').map(entryOf) }
    draw()
  } catch {
    // The matches by name stay in the list. If no option is selected, Enter opens the search page, which shows the error.
  }
}

async function open(): Promise<void> {
  field.select()
  chosen = NONE
  draw()
  try {
    names = namesIn(await readPart(dialog.dataset.names ?? ''))
    draw()
  } catch {
    say('The names of checks could not be loaded. Press Enter to search.', true)
  }
}

field.addEventListener('input', () => {
  chosen = NONE
  isWide = false
  found = NOTHING
  draw()
  clearTimeout(pause)
  pause = window.setTimeout(askForOutput, PAUSE_MS)
})

field.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, shiftKey, isComposing } = event
  const link = options[chosen]?.node
  if (isComposing || link === undefined) return
  if (key === 'ArrowDown') choose((chosen + 1) % options.length)
  else if (key === 'ArrowUp') choose((chosen + options.length - 1) % options.length)
  else if (key === 'Tab') {
    if (!moveToCommands(shiftKey)) return
  } else if (key === 'Enter') {
    if ((ctrlKey || metaKey) && link.dataset.sends === undefined) window.open(link.href, '_blank', 'noopener')
    else link.click()
  } else return
  event.preventDefault()
})

// Keeps the focus in the field when the user clicks in the list.
list.addEventListener('mousedown', (event) => event.preventDefault())
list.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link) return
  if (act(link, report)) event.preventDefault()
  // A link to an anchor on this page does not leave the page, so the palette has to be closed here.
  else if (!event.ctrlKey && !event.metaKey) dialog.close()
})

dialog.addEventListener('opened', open)
open()
