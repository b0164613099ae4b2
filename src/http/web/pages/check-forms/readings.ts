/**
 * Fills a form with settings from advice, without saving them: `…/edit?tab=schedule&fix=zone.0`. Any alternative fixes are listed above the
 * form.
 */
import type { FixedSettings } from '../../../../domain/advice/advice.ts'
import { readingLabel } from '../../../../domain/advice/fix-words.ts'
import { adviceSentence } from '../../../../domain/advice/sentence.ts'
import { applySpec, type Check } from '../../../../domain/check/check.ts'
import { type Readings, readReadings } from '../../../../services/advice/check-advice.ts'
import { contextOf } from '../../context.ts'
import { type EditTab, editPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { FIX_PARAMETER, fixQuery } from '../../parts/advice/advice-acts.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { icon } from '../../parts/icons.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import type { ProjectVisit } from '../../route.ts'

/** The initial content of a form. */
interface Filled {
  /** the check with the suggested settings applied but not saved; unchanged if the URL contains no suggestion */
  readonly check: Check
  /** content above the form: the advice and its alternatives; null if no advice changes settings */
  readonly above: HtmlValue
}

/** @param tab the form's tab @param isOfForm returns whether the form has fields for the given settings */
export async function fillIn(
  deps: PageDeps,
  visit: ProjectVisit,
  check: Check,
  tab: EditTab,
  isOfForm: (settings: FixedSettings) => boolean,
): Promise<Filled> {
  const all = (await readReadings(deps, visit.actor, check))
    .map(({ advice, settings }) => ({ advice, settings: settings.filter(isOfForm) }))
    .filter(({ settings }) => settings.length > 0)
  const [, kind, index] = /^([a-z]+)\.(\d)$/.exec(visit.url.searchParams.get(FIX_PARAMETER) ?? '') ?? []
  const asked = all.find(({ advice }) => advice.kind === kind)
  const chosen = asked?.settings[Number(index)]
  const readings = asked ?? all[0]
  return {
    check: chosen === undefined ? check : applySpec(check, chosen, false),
    above: readings !== undefined && readingsNote(deps, visit, check, tab, readings, chosen),
  }
}

function readingsNote(
  deps: PageDeps,
  visit: ProjectVisit,
  { publicId }: Check,
  tab: EditTab,
  { advice, settings }: Readings,
  chosen: FixedSettings | undefined,
): Html {
  const { actor, site } = visit
  const pathOf = (index: number) => site.href(editPath(actor.project.slug, publicId, tab, fixQuery(advice, index)))
  const said = sentenceHtml(adviceSentence(advice, true), contextOf(deps, visit))
  const links = settings.map((each, index) => {
    const text = readingLabel({ do: 'set', settings: each })
    return each === chosen ? null : linkButton({ text, isSmall: true, href: pathOf(index) })
  })
  return html`<div class="note answered">${icon('bulb')}<p><b>${said}</b>${chosen !== undefined && ' The form is filled in with the proposal. Nothing is saved yet.'}</p><div class="acts">${links}</div></div>`
}
