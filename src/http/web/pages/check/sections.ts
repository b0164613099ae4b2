/** The parts of a check's page that change when pings arrive or time passes. */
import type { CheckPage } from '../../../../services/overview/check-page.ts'
import type { Html } from '../../html.ts'
import { aboutSection } from './about.ts'
import { changedSection } from './changed.ts'
import { chartSection } from './chart.ts'
import type { CheckContext } from './context.ts'
import { daysSection } from './days.ts'
import { nowSection } from './head/now.ts'
import { runsSection } from './runs/section.ts'
import { scheduleSection } from './schedule.ts'

type SectionName = 'now' | 'changed' | 'chart' | 'runs' | 'days' | 'schedule' | 'about'

/** Renders the sections, keyed by name. The name is also the id of the section's element. */
export function changingSections(page: CheckPage, context: CheckContext): Readonly<Record<SectionName, Html>> {
  return {
    now: nowSection(page, context),
    changed: changedSection(page, context),
    chart: chartSection(page, context),
    runs: runsSection(page, context),
    days: daysSection(page, context),
    schedule: scheduleSection(page.view, context),
    about: aboutSection(page.view.check, context),
  }
}
