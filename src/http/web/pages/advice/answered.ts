/** The note at the top of a page after the user has accepted or postponed advice. It shows the result, and how to undo it. */
import type { Fix, FixedSettings } from '../../../../domain/advice/advice.ts'
import { fixedWords } from '../../../../domain/advice/fix-words.ts'
import type { Check } from '../../../../domain/check/check.ts'
import { expectedIfReadable } from '../../../../domain/check/status.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { nextPingWords } from '../../../../domain/sentence/sentence.ts'
import { Temporal } from '../../../../lib/time.ts'
import { readCheckAdvice } from '../../../../services/advice/check-advice.ts'
import { getCheckByPublicId } from '../../../../services/checks/checks.ts'
import { enterProject } from '../../../../services/projects/members.ts'
import { contextOf } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { type AdvicePlace, againButton } from '../../parts/advice/advice-acts.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { hiddenField } from '../../parts/forms/fields.ts'
import { icon } from '../../parts/icons.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { bdi, counted } from '../../parts/words/text.ts'
import { timeOf } from '../../parts/words/times.ts'
import type { AccountVisit, ProjectVisit } from '../../route.ts'

const RESUMED = 'resume'
const IN_PROJECT = 'done-in'
const NAMES = ['schedule', 'timeout', 'tz', 'grace', 'methods'] as const satisfies readonly (keyof FixedSettings)[]

/**
 * Returns the path to redirect to after the form is submitted. That page builds its message from the check rather than the URL, so a forged
 * URL cannot inject text.
 */
export function afterFix(back: string, slug: string, { fix, publicId, changed, undo }: MadeFix): string {
  const set = fix.do === 'set' ? NAMES.filter((name) => fix.settings[name] !== undefined) : [RESUMED]
  const said = {
    'done-fix': publicId,
    ...inProject(back, slug),
    'done-set': set.join('.'),
    'done-checks': String(changed),
    ...(undo === null ? {} : { undo }),
  }
  return withParameters(back, said)
}

interface MadeFix {
  readonly fix: Fix
  /** public id of the first check that the fix changed */
  readonly publicId: string
  /** number of checks that the fix changed */
  readonly changed: number
  readonly undo: string | null
}

/** @param answered public id of the check, and the kind of advice that was postponed */
export function afterPutOff(
  back: string,
  slug: string,
  { publicId, kind }: { readonly publicId: string; readonly kind: string },
): string {
  return withParameters(back, { 'done-later': publicId, ...inProject(back, slug), 'done-kind': kind })
}

/** Returns a query parameter with the check's project if `back` is a page that covers several projects. */
function inProject(back: string, slug: string): Readonly<Record<string, string>> {
  return back.startsWith('/p/') ? {} : { [IN_PROJECT]: slug }
}

/** Renders the note for a page that covers several projects. Returns nothing for a project that the reader cannot access. */
export async function answeredInProject(deps: PageDeps, visit: AccountVisit, back: string): Promise<Html | null> {
  const slug = visit.url.searchParams.get(IN_PROJECT)
  const actor = slug === null ? null : await enterProject(deps, visit.person, slug)
  return actor && answeredNote(deps, { ...visit, actor }, back)
}

function withParameters(path: string, parameters: Readonly<Record<string, string>>): string {
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`
}

const TOKEN = /^[\w-]{1,100}$/

/**
 * Returns null if the URL does not report applied or postponed advice, or if the check has been deleted.
 * @param back the page's URL without the parameters that report this
 */
export async function answeredNote(deps: PageDeps, visit: ProjectVisit, back: string): Promise<Html | null> {
  const { searchParams } = visit.url
  const [fixed, putOff] = [searchParams.get('done-fix'), searchParams.get('done-later')]
  const check = await findCheck(deps, visit, fixed ?? putOff)
  if (check === null) return null
  return fixed === null ? putOffNote(deps, visit, check, back) : fixedNote(deps, visit, check, back)
}

async function findCheck(deps: PageDeps, { actor }: ProjectVisit, publicId: string | null): Promise<Check | null> {
  if (publicId === null) return null
  try {
    return (await getCheckByPublicId(deps, actor, publicId)).check
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-found') return null
    throw error
  }
}

/** Returns a note such as `Schedule set to weekdays at 18:00. Next ping due in 3 h, at 18:00.` */
function fixedNote(deps: PageDeps, visit: ProjectVisit, check: Check, back: string): Html | null {
  const { actor, site, url } = visit
  const set = (url.searchParams.get('done-set') ?? '').split('.')
  const n = Number(url.searchParams.get('done-checks') ?? '1')
  const undo = url.searchParams.get('undo')
  const isOne = !(n > 1 && Number.isSafeInteger(n))
  const who = isOne ? nameOf(check) : html`${counted(n, 'check', 'checks')}: `
  const next = isOne && check.lastPingAt !== null && nextPingWords(expectedIfReadable(check))
  const isResumed = set.includes(RESUMED)
  if (!isResumed && !NAMES.some((name) => set.includes(name))) return null
  const words = isResumed ? 'Resumed.' : fixedWords(settingsOf(check, set))
  const button =
    undo !== null &&
    TOKEN.test(undo) &&
    html`<form method="post" action="${site.href(projectPath(actor.project.slug, 'undo'))}">${hiddenField('token', undo)}${hiddenField('back', back)}${submit({ text: 'Undo', isSmall: true })}</form>`
  return line(html`<b>${who}</b>${words}${next && html` ${sentenceHtml(next, contextOf(deps, visit))}`}`, button)
}

function settingsOf(check: Check, set: readonly string[]): FixedSettings {
  const { schedule, timeoutSeconds: timeout, tz, graceSeconds: grace, methods } = check
  const all = { schedule, timeout, tz, grace, methods: methods === 'POST' ? methods : '' } as const
  return Object.fromEntries(NAMES.flatMap((name) => (set.includes(name) ? [[name, all[name]]] : [])))
}

/** Returns a note such as `Not shown until 27 Dec, unless the advice changes.` */
async function putOffNote(deps: PageDeps, visit: ProjectVisit, check: Check, back: string): Promise<Html | null> {
  const { actor, site, url, account } = visit
  const kind = url.searchParams.get('done-kind')
  const { putOff } = await readCheckAdvice(deps, actor, check)
  const one = putOff.findLast((each) => each.kind === kind)
  if (one === undefined) return null
  const place: AdvicePlace = {
    ...{ href: site.href, slug: actor.project.slug, checks: [check.publicId], back, of: '', isRisky: false },
  }
  const until = timeOf('clock', Temporal.Instant.fromEpochMilliseconds(one.until), deps.now(), account.tz)
  return line(
    html`<b>${nameOf(check)}</b>Not shown until ${until}, unless the advice changes.`,
    againButton(one, place, 'Undo'),
  )
}

function nameOf({ name }: Check): Html {
  return html`${name === '' ? 'no name' : bdi(name)}: `
}

function line(words: Html, button: HtmlValue): Html {
  return html`<div class="note answered" role="status" data-told>${icon('tick')}<p>${words}</p>${button}</div>`
}
