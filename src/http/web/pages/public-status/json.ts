/** `/status/<slug>.json`: a machine-readable version of a status page. Times are in UTC. */
import { uptimePercent } from '../../../../domain/run/downtime.ts'
import { type PublicService, type PublicStatus, summarySentence } from '../../../../domain/status-page/public-status.ts'
import { sentenceText } from '../../../../domain/words/sentence-text.ts'
import { type Instant, isoSeconds } from '../../../../lib/time.ts'

export function publicStatusJson({ title, text, tz, at, summary, sections, disruptions }: PublicStatus): string {
  return JSON.stringify({
    title,
    text,
    time_zone: tz,
    as_of: isoSeconds(at),
    status: summary.state,
    summary: sentenceText(summarySentence(summary), { now: at, tz, isNamed: true }),
    services: { working: summary.working, total: summary.watched },
    sections: sections.map(({ name, services }) => ({ name, services: services.map(serviceJson) })),
    incidents: disruptions.map(({ name, from, until }) => ({
      service: name,
      from: isoSeconds(from),
      until: iso(until),
    })),
  })
}

function serviceJson({ name, text, state, since, total, days }: PublicService) {
  const uptime = total && Number(uptimePercent(total))
  return { name, text, status: state, since: iso(since), uptime_percent: uptime, days }
}

function iso(at: Instant | null): string | null {
  return at && isoSeconds(at)
}
