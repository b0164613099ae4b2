{{- define "overdue.name" -}}
{{- $isNamed := contains .Chart.Name .Release.Name -}}
{{- /* Names of pods become labels of 63 characters, and a StatefulSet adds eleven. */ -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) $isNamed | trunc 52 | trimSuffix "-" -}}
{{- end }}

{{- define "overdue.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "overdue.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{ include "overdue.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "overdue.image" -}}
{{- $repository := required "image.repository is not set: name what you have pushed the image to, such as registry.example.org/overdue" .Values.image.repository -}}
{{- if .Values.image.digest }}{{ $repository }}@{{ .Values.image.digest }}{{ else }}{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- /* Whether the database is a PostgreSQL, which several pods share. Empty if not. */ -}}
{{- define "overdue.isShared" -}}
{{- if eq .Values.database.engine "postgres" }}true{{ end -}}
{{- end }}

{{- define "overdue.workload" -}}
{{- if include "overdue.isShared" . }}deployment{{ else }}statefulset{{ end }}/{{ include "overdue.name" . }}
{{- end }}
