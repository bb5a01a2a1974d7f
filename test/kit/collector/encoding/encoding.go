// Package otlpencodingextension takes the place of a module that only the tests of the file exporter import.
package otlpencodingextension
