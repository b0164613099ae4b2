/**
 * The list of a project's current mutes. Each item shows when the mute starts and ends, what it hides, and buttons for changing or ending
 * it.
 */
import { isChangeable } from '../../../../domain/silence/silence.ts'
import { mutedSentence, windowWords } from '../../../../domain/silence/words.ts'
import type { NamedSilence } from '../../../../services/silences/silence-checks.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { icon } from '../../parts/icons.ts'
import { changePath, unmuteForm } from '../../parts/mute.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import type { MuteData } from './data.ts'
import { hiddenNotes } from './hidden.ts'
import { silencedWords } from './names.ts'

export function mutedList(data: MuteData): Html {
  const { first, rest } = data.muted
  const more = rest > 0 && html`<p class="help">and ${rest} more, which end later or not at all.</p>`
  return html`<ul class="muted-l">${first.map((one) => mutedLine(one, data))}</ul>${more}`
}

function mutedLine(listed: NamedSilence, data: MuteData): Html {
  const { href, slug, back, projectName } = data
  const { silence } = listed
  const again = silence.window && html`<br><small class="muted">Repeats ${windowWords(silence.window)}.</small>`
  const change =
    isChangeable(silence) &&
    linkButton({ text: 'Change…', isSmall: true, href: href(changePath(slug, silence.id, back)) })
  return html`<li>${icon('mute')}<p><b>${silencedWords(listed, projectName)}</b> ${sentenceHtml(mutedSentence(silence, data.now), data)}${again}</p><div class="acts">${change}${unmuteForm(silence, href(projectPath(slug, 'mute')), back)}</div>${hiddenNotes(data.hidden.get(silence) ?? [])}</li>`
}
