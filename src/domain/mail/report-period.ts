/** Intervals at which reports can be emailed. */
export const REPORT_PERIODS = ['daily', 'weekly', 'monthly'] as const
export type ReportPeriod = (typeof REPORT_PERIODS)[number]
