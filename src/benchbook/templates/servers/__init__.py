"""Which server varies least, and how many of them does an answer need?"""

from benchbook.templates.servers.analysis import (
    costs_of_servers,
    instances_of_servers,
    laws_of_servers,
    rates_of_instances,
    ratios_of_servers,
    with_servers,
)
from benchbook.templates.servers.chart import instance_dots
from benchbook.templates.servers.finding import servers_finding
from benchbook.templates.servers.table import (
    instances_table,
    server_laws,
    server_ratios_table,
)
