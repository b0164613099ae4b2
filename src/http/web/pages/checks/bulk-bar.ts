/**
 * The bar with actions for the selected checks. Its buttons submit the form around the list, and are shown once the user selects checks.
 */
import { type Html, type HtmlValue, html } from '../../html.ts'
import { type IconName, icon } from '../../parts/icons.ts'
import { shown } from '../../parts/words/text.ts'
import type { ChannelNames } from './check-row.ts'

const BULK_ACTIONS = ['pause', 'resume', 'add-tag', 'remove-tag', 'assign', 'unassign', 'delete'] as const
type BulkActionName = (typeof BULK_ACTIONS)[number]

interface BulkBar {
  /** path of the form that changes settings, including the SITE_ROOT path prefix */
  readonly settingsPath: string
  /** path of the mute page, including the SITE_ROOT path prefix */
  readonly mutePath: string
  /** number of checks that match the filter */
  readonly matching: number
  readonly channels: ChannelNames
}

export function bulkBar({ settingsPath, mutePath, matching, channels }: BulkBar): Html {
  return html`<div class="bulk" id="bulk" role="region" aria-label="Selected checks"><b class="num" id="selected">Selected:</b>
<label class="pick" id="select-matching" data-number="${matching}"><input type="checkbox" name="all" value="1">all ${matching} that match</label>
<button class="btn quiet" formaction="${settingsPath}" formnovalidate>${icon('clock')}Change schedule or grace…</button>
${button('pause', 'Pause', 'pause')}${button('resume', 'Resume', 'resume')}
<details class="drop above"><summary class="btn quiet">${icon('tag')}Tag…</summary><div class="panel form"><div class="field"><label for="tag">Tag</label><input class="in" id="tag" name="tag" maxlength="500" pattern="\\S+" title="One word" autocomplete="off" autocapitalize="none" spellcheck="false"></div><div class="acts">${button('add-tag', 'Add tag')}${button('remove-tag', 'Remove tag')}</div></div></details>
${assign(channels)}<button class="btn quiet" formaction="${mutePath}" formnovalidate>${icon('mute')}Mute…</button>
${button('delete', 'Delete…', 'trash', 'danger')}
<button class="btn quiet icon" type="reset" aria-label="Clear selection">${icon('cross')}</button></div>`
}

function assign(channels: ChannelNames): HtmlValue {
  if (channels.size === 0) return null
  const options = Array.from(channels, ([id, { name }]) => html`<option value="${id}">${shown(name)}</option>`)
  return html`<details class="drop above"><summary class="btn quiet">${icon('bell')}Alerts…</summary><div class="panel form"><div class="field"><label for="channel">Integration</label><select id="channel" name="channel">${options}</select></div><div class="acts">${button('assign', 'Assign')}${button('unassign', 'Unassign')}</div></div></details>`
}

function button(action: BulkActionName, words: string, symbol: IconName | null = null, look = ''): Html {
  // Only the buttons for adding or removing a tag require a valid tag in the field.
  const isFree = action !== 'add-tag' && action !== 'remove-tag'
  return html`<button class="btn ${isFree ? 'quiet' : ''} ${look}" name="action" value="${action}"${isFree && html` formnovalidate`}>${symbol && icon(symbol)}${words}</button>`
}
