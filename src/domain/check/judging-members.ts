/** How the settings that judge a check's pings are called where they are written out. */
import type { CheckSettings } from './check.ts'

/** The members, in the order of the API: durations are seconds. */
export function judgingMembers(check: CheckSettings) {
  return {
    kind: check.kind,
    timeout: check.timeoutSeconds,
    grace: check.graceSeconds,
    schedule: check.schedule,
    tz: check.tz,
    manual_resume: check.manualResume,
    methods: check.methods,
    start_kw: check.startKw,
    success_kw: check.successKw,
    failure_kw: check.failureKw,
    filter_subject: check.filterSubject,
    filter_body: check.filterBody,
    filter_http_body: check.filterHttpBody,
    filter_default_fail: check.filterDefaultFail,
    mail_default_success: check.mailDefaultSuccess,
  }
}
