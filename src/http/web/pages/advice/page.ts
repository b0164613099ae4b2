/**
 * The page with a project's advice. It shows open advice, postponed advice and applied fixes. For open advice, it shows how each fix would
 * have affected past alerts.
 */
import type { Fix } from '../../../../domain/advice/advice.ts'
import { adviceWords, fixedWords, fixLabel } from '../../../../domain/advice/fix-words.ts'
import { adviceSentence } from '../../../../domain/advice/sentence.ts'
import type { Check } from '../../../../domain/check/check.ts'
import { Temporal } from '../../../../lib/time.ts'
import type { AdviceGroup, AdviceList, FixedCheck, PutOffCheck } from '../../../../services/advice/advice-list.ts'
import type { PageContext } from '../../context.ts'
import { checkPath, projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { type AdvicePlace, adviceActs, againButton, fixLink } from '../../parts/advice/advice-acts.ts'
import { readerWords } from '../../parts/advice/advice-line.ts'
import { wokenWords } from '../../parts/advice/woken-words.ts'
import { empty } from '../../parts/empty.ts'
import { pageTabs } from '../../parts/tabs.ts'
import { wholeDurations } from '../../parts/words/durations.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { bdi, counted, shown } from '../../parts/words/text.ts'
import { timeOf, zoneLine } from '../../parts/words/times.ts'
import type { FrameContent } from '../../route.ts'
import { proofDrawing } from './proof.ts'
import type { AdviceListState } from './query.ts'

export interface AdviceContext extends PageContext {
  /** the project's slug */
  readonly slug: string
  readonly canWrite: boolean
  /** returns the page's local path for open, postponed or applied advice */
  readonly pathOf: (state: AdviceListState) => string
  /** true if the page covers several projects and groups items by project */
  readonly isGrouped: boolean
}

export function advicePage(
  list: AdviceList,
  state: AdviceListState,
  context: AdviceContext,
  answered: Html | null,
): FrameContent {
  const parts = adviceParts(list, state, context)
  return {
    layout: 'frame',
    title: 'Advice',
    live: projectPath(context.slug, `live?view=advice&state=${state}`),
    intro: parts['advice-counts'],
    actions: parts['advice-tabs'],
    body: html`<div class="stack">${answered}${parts['advice-list']}</div>
${zoneLine(context.tz)}`,
  }
}

type PartName = 'advice-counts' | 'advice-tabs' | 'advice-list'

/** Renders the parts of the page that may change when a check is re-examined. Each part is an element whose id is the part's name. */
export function adviceParts(
  list: AdviceList,
  state: AdviceListState,
  context: AdviceContext,
): Readonly<Record<PartName, Html>> {
  const items = itemsOf(list, state, context)
  const body =
    items.length === 0
      ? nothingIn(list, state)
      : html`<section class="card" aria-label="${NAMES[state]}"><ul class="advs">${items}</ul>${ADVICE_HELP}</section>`
  return { ...headParts(list, state, context), 'advice-list': html`<div id="advice-list">${body}</div>` }
}

/** Renders the summary of all advice on the page, and the tabs for open, postponed and applied advice. */
export function headParts(
  list: AdviceList,
  state: AdviceListState,
  { href, pathOf }: Pick<AdviceContext, 'href' | 'pathOf'>,
): Readonly<Record<'advice-counts' | 'advice-tabs', Html>> {
  const tabs = [
    [pathOf('open'), `Open ${advisedNumber(list)}`],
    [pathOf('later'), `Not now ${list.later.length}`],
    [pathOf('done'), `Done ${list.done.length}`],
  ] as const
  return {
    'advice-counts': html`<span id="advice-counts">${countWords(list)}</span>`,
    'advice-tabs': html`<div id="advice-tabs">${pageTabs(href, 'Advice', tabs, pathOf(state))}</div>`,
  }
}

const NAMES: Readonly<Record<AdviceListState, string>> = {
  open: 'Open advice',
  later: 'Postponed advice',
  done: 'Applied advice',
}

export const ADVICE_HELP = html`<p class="help advs-end">Advice is based on the last 100 pings of each check, and is updated as pings arrive. A fix changes only the check, not the job. You can undo it for an hour.</p>`

export function itemsOf(list: AdviceList, state: AdviceListState, context: AdviceContext): readonly Html[] {
  switch (state) {
    case 'open':
      return list.open.map((group) => groupItem(group, context))
    case 'later':
      return list.later.map((one) => laterItem(one, context))
    case 'done':
      return list.done.map((one) => doneItem(one, context))
  }
}

/** Returns the text for a tab that has no items. */
export function nothingIn(list: AdviceList, state: AdviceListState): Html {
  switch (state) {
    case 'open':
      return nothingOpen(list)
    case 'later':
      return empty({
        title: 'No postponed advice',
        text: 'If you choose “Not now”, the advice stays here for 30 days, or until it changes.',
      })
    case 'done':
      return empty({ title: 'No fixes yet', text: 'Fixes that you apply with a button in the advice are listed here.' })
  }
}

function nothingOpen({ checks, later }: AdviceList): Html {
  const text = 'Overdue compares every schedule with the pings that arrived. If they do not match, advice appears here.'
  if (checks === 0) return empty({ title: 'No checks yet', text })
  if (later.length > 0) return empty({ title: 'No open advice', text: 'All advice has been postponed.' })
  return empty({
    title: checks === 1 ? 'The schedule matches its job.' : `All ${checks} schedules match their jobs.`,
    text,
  })
}

/** Returns a string such as `6 of 30 checks do not match their jobs. The fixes would have avoided 62 alerts.` */
function countWords(list: AdviceList): string {
  const { open, checks, isCut } = list
  const number = advisedNumber(list)
  if (number === 0) return ''
  const spared = open.reduce((sum, group) => sum + group.spared, 0)
  const first = `${isCut ? 'At least ' : ''}${number} of ${counted(checks, 'check', 'checks')} ${number === 1 ? 'does not match its job' : 'do not match their jobs'}.`
  return spared === 0 ? first : `${first} The fixes would have avoided ${counted(spared, 'alert', 'alerts')}.`
}

/** Counts the checks with advice. A check with several kinds of advice counts once. */
function advisedNumber({ open }: AdviceList): number {
  return new Set(open.flatMap(({ members }) => members.map(({ check }) => check.id))).size
}

function groupItem(group: AdviceGroup, context: AdviceContext): Html {
  const { members, spared, proof } = group
  const [{ check, advice, woken }, ...others] = members
  const place = context.canWrite && placeOf(group, context)
  const isOne = others.length === 0
  const title = isOne
    ? sentenceHtml(adviceSentence(advice, context.canWrite), context)
    : `${members.length} checks: ${adviceWords(advice)}`
  const names = isOne
    ? checkLink(check, context)
    : html`<details class="of-advice"${group.isRisky || !isOfOneClick(advice.fix) ? html` open` : null}><summary>${members.length} checks</summary><ul>${members.map((one) => memberItem(one, group, context))}</ul></details>`
  const who = html`<div class="adv-n">${names}${spared > 0 && html`<span class="muted">${counted(spared, 'alert', 'alerts')} avoided</span>`}</div>`
  const what = heading(title, context)
  const proposed = !isOne && group.isRisky && html`<p>${fixLabel(advice.fix)}? Look at each check first.</p>`
  return html`<li class="adv">${proof && proofDrawing(proof, nameText(check))}<div class="adv-x">${isOne ? [who, what] : [what, who]}${isOne && wokenWords(woken, context)}${proposed}${!context.canWrite && html`<p>${readerWords(advice)}</p>`}</div>${place && adviceActs(advice, place)}</li>
`
}

/**
 * Renders one check in a group of similar advice, with the figures for that check. Adds a link if the user should look at the check before
 * applying the fix.
 */
function memberItem({ check, advice }: AdviceGroup['members'][0], group: AdviceGroup, context: AdviceContext): Html {
  const { canWrite } = context
  const needsLook = group.isRisky || !isOfOneClick(advice.fix)
  const link =
    canWrite &&
    needsLook &&
    fixLink(advice, { ...placeOf(group, context), checks: [check.publicId], of: nameText(check) })
  return html`<li>${checkLink(check, context)} ${sentenceHtml(adviceSentence(advice, canWrite), context)} ${link}</li>`
}

function isOfOneClick(fix: Fix): boolean {
  return fix.do === 'set' || fix.do === 'resume'
}

function placeOf({ members, isRisky }: AdviceGroup, { slug, href, pathOf }: AdviceContext): AdvicePlace {
  const [{ check }, ...others] = members
  return {
    ...{ href, slug, back: pathOf('open'), isRisky },
    checks: [check.publicId, ...others.map((one) => one.check.publicId)],
    of: others.length === 0 ? nameText(check) : `${members.length} checks`,
  }
}

function laterItem({ check, advice, putOff }: PutOffCheck, context: AdviceContext): Html {
  const { canWrite, slug, href, pathOf, now, tz } = context
  const until = timeOf('clock', Temporal.Instant.fromEpochMilliseconds(putOff.until), now, tz)
  const place: AdvicePlace = {
    ...{ href, slug, checks: [check.publicId], back: pathOf('later'), of: nameText(check), isRisky: false },
  }
  // Don't show email addresses to users with read-only access.
  const by = canWrite && html` by ${bdi(putOff.by)}`
  return html`<li class="adv"><div class="adv-x"><div class="adv-n">${checkLink(check, context)}</div>${heading(sentenceHtml(adviceSentence(advice, canWrite), context), context)}<p>Postponed${by} until ${until}.</p></div>${canWrite && againButton(advice, place, 'Show again')}</li>
`
}

function doneItem({ check, fixed }: FixedCheck, context: AdviceContext): Html {
  const at = timeOf('clock', Temporal.Instant.fromEpochMilliseconds(fixed.at), context.now, context.tz)
  return html`<li class="adv"><div class="adv-x"><div class="adv-n">${checkLink(check, context)}</div>${heading(wholeDurations(fixedWords(fixed.settings)), context)}<p>${at}</p></div></li>
`
}

function heading(words: HtmlValue, { isGrouped }: AdviceContext): Html {
  return isGrouped ? html`<h3>${words}</h3>` : html`<h2>${words}</h2>`
}

function checkLink({ publicId, name }: Check, { href, slug }: AdviceContext): HtmlValue {
  return html`<a class="name" href="${href(checkPath(slug, publicId))}">${name === '' ? 'no name' : bdi(name)}</a>`
}

function nameText({ name }: Check): string {
  return name === '' ? 'no name' : shown(name)
}
