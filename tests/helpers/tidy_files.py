"""Tables as people write them, by hand or by a script."""

LONG = """test,engine,version,trial,metric,value,unit
scan,pg,15.4,1,latency,12.5,ms
scan,pg,15.4,2,latency,12.75,ms
scan,pg,16.1,1,latency,11,ms
"""
WIDE = (
    "test\tversion\tcolour\tlatency (ms)\tqps\na\t1\tred\t2.5\t400\nb\t1\tblue\t5\t200\n"
)
JSON_LINES = """{"benchmark": "a", "version": "1", "value": 1.5, "unit": "s"}
{"benchmark": "a", "version": "2", "value": 3, "unit": "s"}
"""
# As Otava's own example data are.
HISTORY = """time,commit,branch,throughput,p99
2026.01.01 3:00:00 +0100,aaa0,main,154023,10.43
2026.01.02 3:00:00 +0100,aaa1,main,138455,10.23
"""
