/** `/admin/instances`: lists the instances that use this database, for administrators. */

import {
  clockWords,
  isClockWrong,
  listInstances,
  processorPercent,
  type SeenInstance,
} from '../../../../services/server/instances.ts'
import { contextOf, type PageContext } from '../../context.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { note } from '../../parts/notes.ts'
import { bdi } from '../../parts/words/text.ts'
import { relativeTime, zoneLine } from '../../parts/words/times.ts'
import type { FrameContent, Route } from '../../route.ts'
import { adminRoute } from '../new-route.ts'
import { ADMIN_TABS, adminTabs } from './tabs.ts'

export function instancesRoutes(deps: PageDeps): readonly Route[] {
  return [
    adminRoute('GET', ADMIN_TABS.instances.path, async (visit) => {
      const instances = await listInstances(deps)
      return instancesPage({ ...contextOf(deps, visit), instances, own: deps.instance.id })
    }),
  ]
}

interface InstancesData extends PageContext {
  readonly instances: readonly SeenInstance[]
  /** id of the instance that handles this request */
  readonly own: string
}

const HEADS = [
  'Name',
  'Version',
  'Last report',
  'Started',
  'Pings per second',
  'Time to store pings',
  'Processor',
  'Memory',
] as const

function instancesPage(data: InstancesData): FrameContent {
  const { href, instances, tz } = data
  const wrongClocks = instances.filter(({ isAlive, clockAhead }) => isAlive && isClockWrong(clockAhead))
  const heads = HEADS.map((head) => html`<th scope="col">${head}</th>`)
  return {
    layout: 'frame',
    help: 'operate#several-instances',
    title: ADMIN_TABS.instances.title,
    intro:
      'The servers that use this database. Each reports its load every ten seconds. A CPU load of 100 % is one core.',
    body: html`<div class="stack">${adminTabs(href, 'instances')}${wrongClocks.map(({ name, clockAhead }) => note('late', html`The clock of ${bdi(name)} is ${clockWords(clockAhead)}. Instances use the clock of the database, so alerts are early or late only if that clock is wrong. Synchronize all machines with a time server (NTP).`))}<div class="card scroll" tabindex="0" role="group" aria-label="Instances"><table class="table"><thead><tr>${heads}</tr></thead><tbody>
${instances.map((instance) => instanceRow(data, instance))}</tbody></table></div>${zoneLine(tz)}</div>`,
  }
}

function instanceRow({ own, now, tz }: InstancesData, instance: SeenInstance): Html {
  const { id, name, version, isAlive, silentSeconds, startedAt, load } = instance
  const seenAt = now.subtract({ milliseconds: Math.round(silentSeconds * 1000) })
  const seen = relativeTime(seenAt, now, tz)
  const { pingsPerSecond, commitMilliseconds, memoryMegabytes } = load
  const cells = [
    version,
    isAlive ? seen : html`<b>gone</b>, ${seen}`,
    relativeTime(startedAt, now, tz),
    figure(pingsPerSecond, null),
    figure(commitMilliseconds, 'ms'),
    figure(processorPercent(load), '%'),
    figure(memoryMegabytes, 'MB'),
  ].map((cell) => html`<td>${cell}</td>`)
  return html`<tr><th scope="row">${bdi(name)}${id === own && html` <span class="muted">answers now</span>`}</th>${cells}</tr>
`
}

/** Formats a number and its unit so that they stay on one line. */
function figure(value: number | null, unit: string | null): string {
  if (value === null) return '–'
  return unit === null ? String(value) : `${value}\u00a0${unit}`
}
