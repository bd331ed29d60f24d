"""The same work on several things, by as many processes as CPUs."""

import operator
import os

import pytest

from benchbook.several import each_of

pytestmark = pytest.mark.unit
WHO = "__import__('os').getpid()"  # a process begins without this module


@pytest.mark.slow
def test_in_their_order():
    assert [2, 4, 9] == each_of(operator.floordiv, [6, 8, 9], [3, 2, 1])


@pytest.mark.slow
def test_by_other_processes():
    assert os.getpid() not in each_of(eval, [WHO, WHO])


@pytest.mark.slow
def test_what_goes_wrong_there_is_raised_here():
    with pytest.raises(ZeroDivisionError):
        each_of(operator.floordiv, [6, 8], [3, 0])


def test_one_alone_is_worth_no_process():
    assert [os.getpid()] == each_of(eval, [WHO])


def test_nothing_to_do():
    assert [] == each_of(operator.floordiv, [], [])
