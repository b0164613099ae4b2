/** The periods of reports by email. */
export const REPORT_PERIODS = ['daily', 'weekly', 'monthly'] as const
export type ReportPeriod = (typeof REPORT_PERIODS)[number]
